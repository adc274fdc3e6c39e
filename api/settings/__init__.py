"""What people can set: one closed, typed tree, from options, environment, files and defaults."""
