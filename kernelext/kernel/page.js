// Sends what the controls of one cell say to the kernel, over a connection of its own to Jupyter's server: pages
// give outputs none. It opens when there is something to say, and closes when that was long ago.
((address, kernel) => {
  const patience = 100; // tries, of 50 ms, for the controls to stand in the page

  const connect = () => {
    const config = document.getElementById("jupyter-config-data"); // JupyterLab's and Notebook's
    if (!config) return null;
    const { wsUrl, baseUrl, token } = JSON.parse(config.textContent);
    const url = new URL(wsUrl || baseUrl || "/", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.pathname = url.pathname.replace(/\/*$/, "/api/kernels/" + kernel + "/channels");
    url.searchParams.set("session_id", id());
    if (token) url.searchParams.set("token", token);
    const line = { closed: new Map() }; // what to do when the kernel closes a channel
    let socket = null, waiting = [], timer = 0, failures = 0;
    const open = () => {
      socket = new WebSocket(url);
      socket.onopen = () => { failures = 0; waiting.forEach((m) => socket.send(m)); waiting = []; };
      socket.onclose = () => {
        socket = null;
        if (waiting.length && failures++ < 5) setTimeout(open, 500);
      };
      socket.onmessage = (event) => {
        if (typeof event.data !== "string" || !event.data.includes("comm_close")) return;
        const message = JSON.parse(event.data);
        if (message.msg_type === "comm_close") line.closed.get(message.content.comm_id)?.();
      };
    };
    line.send = (type, content) => {
      const header = { msg_id: id(), msg_type: type, session: url.searchParams.get("session_id"), username: "", version: "5.4",
        date: new Date().toISOString() };
      const text = JSON.stringify({ channel: "shell", header, parent_header: {}, metadata: {}, content, buffers: [] });
      if (socket?.readyState === WebSocket.OPEN) {
        socket.send(text);
      } else {
        waiting.push(text);
        if (!socket) open();
      }
      clearTimeout(timer);
      timer = setTimeout(() => socket?.close(), 60000);
    };
    return line;
  };
  const id = () => Array.from({ length: 4 }, () => Math.random().toString(16).slice(2, 10).padStart(8, "0")).join("");

  const start = (box) => {
    const elements = box.querySelectorAll("[data-ddps]");
    const end = (why) => elements.forEach((e) => { e.disabled = true; e.title = why; });
    const lines = (globalThis.ddpsControls ??= new Map()); // one for all cells, by kernel
    if (!lines.has(kernel)) lines.set(kernel, connect());
    const line = lines.get(kernel);
    if (!line) return end("These controls need JupyterLab or Jupyter Notebook, and the kernel that made them");
    const channel = id();
    line.closed.set(channel, () => {
      line.closed.delete(channel);
      end("Run the cell again to use these controls");
    });
    const say = (text) => line.send("comm_msg", { comm_id: channel, data: { text } });
    for (const e of elements) {
      const n = e.dataset.ddps;
      let presses = 0;
      if (n === "done") e.onclick = () => say("done");
      else if (e.tagName === "BUTTON") e.onclick = () => say(n + "=" + ++presses);
      else if (e.type === "checkbox") e.onchange = () => say(n + "=" + e.checked);
      else e.oninput = () => {
        if (e.nextElementSibling) e.nextElementSibling.textContent = e.value;
        say(n + "=" + e.value);
      };
    }
    line.send("comm_open", { comm_id: channel, target_name: "ddps", data: { address } });
  };
  const wait = (tries) => {
    const box = document.getElementById("ddps-" + address);
    if (box) start(box);
    else if (tries) setTimeout(wait, 50, tries - 1);
  };
  wait(patience);
})
