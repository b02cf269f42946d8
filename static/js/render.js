// Puts one event of a job on the live page. Knows the shape of events, nothing of how they travel.
const byId = (id) => document.getElementById(id);

function claimNode(number) {
  const list = byId("claims");
  let node = byId(`claim-${number}`);
  if (!node) {
    node = document.createElement("div");
    node.className = "claim writing";
    node.id = `claim-${number}`;
    const no = document.createElement("div");
    no.className = "no";
    no.textContent = `${number}.`;
    const text = document.createElement("p");
    text.className = "text";
    node.append(no, text);
    list.append(node);
  }
  byId("none").hidden = true;
  return node;
}

function stage(key) {
  if (!key) return;
  const items = [...document.querySelectorAll("#stages li")];
  const now = items.findIndex((item) => item.dataset.stage === key);
  if (now < 0) return;
  items.forEach((item, index) => {
    item.className = index < now ? "past" : index === now ? "now" : "";
    if (index === now) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
  });
  byId("stage").textContent = items[now].textContent;
  if (byId("written").dataset.stage !== key) {
    byId("written").hidden = true;
    byId("text").replaceChildren();
    byId("written").dataset.stage = key;
  }
}

function begin(number) {
  const node = claimNode(number);
  if (node.classList.contains("writing")) node.querySelector(".text").textContent = "";
}

function percent(value) {
  if (value === undefined || value === null) return;
  byId("percent").textContent = Math.round(value);
  byId("bar").value = value;
  document.title = document.title.replace(/^(\d+% · )?/, `${Math.round(value)}% · `);
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// Time so far and, while the claims are being written, a guess at the rest by their pace since this page first saw them.
let seen = null;
function elapsed(root, seconds, done) {
  if (seconds === undefined || seconds === null) return;
  if (!seen && done >= 24) seen = { seconds, done };
  const pace = seen && done - seen.done >= 8 ? (seconds - seen.seconds) / (done - seen.done) : 0;
  const left = done < 100 ? Math.ceil((pace * (100 - done)) / 60) : 0;
  byId("time").textContent = (left ? root.dataset.left : root.dataset.elapsed).replace("{t}", clock(seconds)).replace("{m}", left);
}

function speed(root, value) {
  if (value) byId("speed").textContent = root.dataset.speed.replace("{n}", Number(value).toFixed(1));
}

function text(data) {
  const piece = data.text ?? data.delta ?? "";
  const number = data.claim ?? data.number;
  if (number) {
    const node = claimNode(number);
    if (node.classList.contains("writing")) node.querySelector(".text").textContent += piece;
    return;
  }
  byId("written").hidden = false;
  byId("text").append(document.createTextNode(piece));
}

function claim(data) {
  const node = claimNode(data.number);
  node.querySelector(".text").textContent = data.text ?? "";
  node.classList.remove("writing");
}

function status(root, data) {
  percent(data.percent);
  elapsed(root, data.seconds, data.percent);
  if (data.state !== root.dataset.state) {
    root.dataset.state = data.state;
    if (data.state === "running" && byId("state").firstElementChild) {
      byId("state").firstElementChild.className = "badge running";
      byId("state").firstElementChild.textContent = root.dataset.running;
    }
  }
  stage(data.stage);
  const waiting = byId("waiting");
  waiting.hidden = !data.waiting;
  waiting.querySelector("p").textContent = data.waiting || "";
}

// `event` is {id?, kind, data}; unknown kinds are left alone.
export function apply(root, event) {
  const data = event.data || {};
  if (event.kind === "stage") {
    stage(data.stage);
    percent(data.percent);
    byId("part").textContent = data.claim ? `${data.claim} / ${data.claims}` : "";
    if (data.stage === "claims" && data.claim) begin(data.claim);
  }
  else if (event.kind === "text") text(data);
  else if (event.kind === "claim") claim(data);
  else if (event.kind === "status") status(root, data);
  speed(root, data.tokens_per_second);
}
