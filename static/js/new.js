// The "new matter" page: counts the characters of the pasted disclosure, takes a dropped file, and says at once when
// a file is too large.
const LARGEST = 20 * 2 ** 20;
const byId = (id) => document.getElementById(id);
const text = byId("id_text");
const file = byId("id_file");
const box = byId("filebox");

function showText() {
  const n = [...text.value].length;
  byId("count").textContent = n ? `${n.toLocaleString()} ${byId("count").dataset.one}` : "";
}

function showFile() {
  const chosen = file.files[0];
  const large = Boolean(chosen) && chosen.size > LARGEST;
  byId("chosen").textContent = chosen ? `${(chosen.size / 2 ** 20).toFixed(2)} MB` : "";
  byId("unchoose").hidden = !chosen;
  byId("file-problem").hidden = !large;
  file.setCustomValidity(large ? byId("file-problem").textContent.trim() : "");
}

text.addEventListener("input", showText);
file.addEventListener("change", showFile);
byId("unchoose").addEventListener("click", () => { file.value = ""; showFile(); });
for (const kind of ["dragover", "dragleave", "drop"]) {
  box.addEventListener(kind, (event) => {
    event.preventDefault();
    box.classList.toggle("over", kind === "dragover");
    if (kind !== "drop" || !event.dataTransfer.files.length) return;
    file.files = event.dataTransfer.files;
    showFile();
  });
}
showText();
showFile();
