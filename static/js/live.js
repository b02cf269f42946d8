// The live page of a job: follows its events by SSE, or by polling when a stream cannot be held,
// and lets the claims grow in place. The server is the truth: when the job ends, the page reloads.
import { apply } from "./render.js";

const root = document.getElementById("job");
const waiting = document.getElementById("waiting");
const POLL_MS = 1500;
const SILENCE_MS = 20000;
let last = 0;
let failures = 0;
let ended = false;

function receive(event) {
  if (event.id && event.id <= last) return;
  if (event.id) last = event.id;
  apply(root, event);
  if (event.kind === "end") finish();
}

function finish() {
  if (ended) return;
  ended = true;
  window.setTimeout(() => window.location.reload(), 300);
}

function notice(text) {
  waiting.hidden = !text;
  waiting.querySelector("p").textContent = text || "";
}

async function poll() {
  if (ended) return;
  try {
    const answer = await fetch(`${root.dataset.poll}?after=${last}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = await answer.json();
    failures = 0;
    page.events.forEach(receive);
    receive({ kind: "status", data: page.job });
    if (["done", "failed", "cancelled"].includes(page.job.state)) finish();
  } catch {
    failures += 1;
    if (failures > 2) notice(root.dataset.offline);
  }
  window.setTimeout(poll, POLL_MS);
}

function stream() {
  const source = new EventSource(root.dataset.stream);
  let timer;
  const giveUp = () => { source.close(); poll(); };
  const alive = () => { window.clearTimeout(timer); timer = window.setTimeout(giveUp, SILENCE_MS); };
  alive();
  source.onmessage = (message) => {
    alive();
    failures = 0;
    receive(JSON.parse(message.data));
    if (ended) { window.clearTimeout(timer); source.close(); }
  };
  source.onerror = () => {
    failures += 1;
    if (source.readyState === EventSource.CLOSED || failures > 3) { window.clearTimeout(timer); giveUp(); }
  };
}

if (root && ["queued", "running"].includes(root.dataset.state)) {
  if (window.EventSource) stream(); else poll();
  document.addEventListener("keydown", (key) => {
    const button = document.querySelector("#cancel button");
    if (key.key === "Escape" && button && !button.disabled) document.getElementById("cancel").requestSubmit();
  });
}
