// The "new matter" page: counts the characters of the pasted disclosure as they come.
const text = document.getElementById("id_text");
const count = document.getElementById("count");

function show() {
  const n = [...text.value].length;
  count.textContent = n ? `${n.toLocaleString()} ${count.dataset.one}` : "";
}
text.addEventListener("input", show);
show();
