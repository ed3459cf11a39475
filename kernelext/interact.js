(() => {
  const address = "{{address}}";
  const start = (tries) => {
    const comm = globalThis.gonb_comm;
    const box = document.getElementById(address);
    if (!comm || !box) {
      if (tries > 0) setTimeout(start, 50, tries - 1);
      return;
    }
    const send = (text) => comm.send(address, text);
    const presses = {};
    for (const e of box.querySelectorAll("[data-ddps]")) {
      const n = e.dataset.ddps;
      if (n === "done") {
        e.addEventListener("click", () => { send("done"); box.querySelectorAll("[data-ddps]").forEach((x) => { x.disabled = true; }); });
      } else if (e.tagName === "BUTTON") {
        presses[n] = 0;
        e.addEventListener("click", () => send(n + "=" + ++presses[n]));
      } else if (e.type === "checkbox") {
        e.addEventListener("change", () => send(n + "=" + e.checked));
      } else {
        e.addEventListener("input", () => {
          if (e.nextElementSibling) e.nextElementSibling.textContent = e.value;
          send(n + "=" + e.value);
        });
      }
    }
    send("ready");
  };
  start(100);
})();
