// What the table is not sure about: a card with ranked answers, one tap each.
import { command } from "../lib/api.js";
import { has, percent, pick, t } from "../lib/i18n.js";
import { ranked } from "../lib/match.js";
import { snapshot } from "../lib/store.js";
import { html, useState } from "../lib/ui.js";
import { seatName } from "./score.js";

export const openQuestions = () => snapshot.value?.questions ?? [];

/** Answer the first open question by the rank of the answer (from 0). */
export function answerByRank(rank) {
  const question = openQuestions()[0];
  const answer = question && ranked(question.answers)[rank];
  if (answer) return send(question, answer);
  return null;
}

const send = (question, answer) =>
  command("answer", { stroke: question.stroke, doubt: question.id, code: answer.code });

export function Questions() {
  const questions = openQuestions();
  return html`<div class="questions" aria-live="polite">
    ${questions.map((question, i) => html`<${Question} key=${question.id} question=${question} isFirst=${i === 0} />`)}
  </div>`;
}

/** The question in words: the server's, or made of its code. */
function questionText(question) {
  if (question.text) return pick(question.text);
  const events = (question.answers ?? []).flatMap((answer) => answer.events ?? []);
  const piece = events.find((event) => event.piece)?.piece ?? "piece";
  const key = `question.${question.question}`;
  return t(has(key) ? key : "question.other", { piece: t(`the.${piece}`) });
}

/** An answer in words: the server's, or what its code names (yes, a kind, a pocket, a seat). */
function answerText({ text, code }) {
  if (text) return pick(text);
  for (const family of ["answer", "the", "pocket"]) if (has(`${family}.${code}`)) return t(`${family}.${code}`);
  return has(`seat.${code}`) ? seatName(code) : code;
}

function Question({ question, isFirst }) {
  const [sent, setSent] = useState(null);
  const choose = async (answer) => {
    setSent(answer.code);
    if (!(await send(question, answer))) setSent(null);
  };
  return html`<section class="card question" aria-labelledby=${`q-${question.id}`}>
    <h2 id=${`q-${question.id}`} dir="auto">${questionText(question)}</h2>
    <div class="answers">
      ${ranked(question.answers).map((answer, rank) => html`<button
        type="button"
        class=${rank === 0 ? "primary" : ""}
        disabled=${sent !== null}
        onClick=${() => choose(answer)}
        aria-keyshortcuts=${isFirst && rank < 9 ? String(rank + 1) : undefined}
      >
        <span dir="auto">${answerText(answer)}</span>
        <small>${percent(answer.likelihood)}</small>
      </button>`)}
    </div>
    ${question.stroke !== undefined && html`<a href=${`/stroke/${question.stroke}#replay`}>${t("question.look")}</a>`}
  </section>`;
}
