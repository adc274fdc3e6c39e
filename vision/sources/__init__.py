"""Where frames come from: cameras, files, streams, browsers, traces."""
