"""What jupyter_kernel_test checks of a kernel, with a sample for each of its checks.

Run in a folder of the module, with the kernel where Jupyter finds it: python conformance.py
"""
import time
import unittest

import jupyter_kernel_test as jkt

SHOW = '''import "github.com/janpfeifer/gonb/gonbui"
import "github.com/janpfeifer/gonb/gonbui/protocol"
%%%%
gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{%s}})
gonbui.Sync()
'''


def show(mime, content):
    return SHOW % f'"{mime}": "{content}", "text/plain": "as text"'


def result(text):
    return SHOW % f'"text/plain": "{text}", "application/vnd.ddps.result": ""'


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


class Conformance(jkt.KernelTests):
    kernel_name = "ddps"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = '%%\nfmt.Println("hello, world")'
    code_stderr = '%%\nfmt.Fprintln(os.Stderr, "test")'
    completion_samples = [
        {"text": "%ddps graph in", "matches": {"info"}},
        {"text": "%noau", "matches": {"%noautoget"}},
        {"text": '%%\nfmt.Printl', "matches": {"Println", "Fprintln", "Sprintln"}},
    ]
    complete_code_samples = ['%%\nfmt.Println("hello")', "func f() int {\n\treturn 1\n}", "1 + 1", "%ddps help", "?fmt", "!ls"]
    incomplete_code_samples = ["func f() {", "x := 1 +", "import (", "s := `raw", "f(1,", "%%\nfor i := range 3 {"]
    invalid_code_samples = ["x := )", "func 3() {}", "if }"]
    code_page_something = "?fmt.Println"
    code_generate_error = '%%\npanic("on purpose")'
    code_execute_result = [
        {"code": result("1"), "result": "1"},
        {"code": result("2"), "result": "2"},
        {"code": "%%live\n1+1", "result": "2"},
    ]
    code_display_data = [
        {"code": show("image/svg+xml", "<svg/>"), "mime": "image/svg+xml"},
        {"code": show("image/png", PNG), "mime": "image/png"},
        {"code": show("text/html", "<b>bold</b>"), "mime": "text/html"},
    ]
    code_history_pattern = '*"2"*'
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "fmt.Println"
    code_clear_output = SHOW % '"application/vnd.ddps.clear": "now"'

    def execute_helper(self, code, timeout=120, **rest):
        """A cold build cache takes its time."""
        return super().execute_helper(code, timeout=timeout, **rest)

    def test_completion(self):
        """The first completions of a new kernel do without gopls, which knows more when it has read the module."""
        for _ in range(60):
            self.flush_channels()
            self.kc.complete('%%\nfmt.Printl')
            reply = self.get_non_kernel_info_reply(timeout=60)["content"]
            self.assertIn("Println", reply["matches"])
            if not reply["metadata"].get("without_gopls"):
                break
            time.sleep(1)
        super().test_completion()

    def fails(self, code, name):
        self.flush_channels()
        reply, output = self.execute_helper(code)
        self.assertEqual(reply["content"]["status"], "error")
        self.assertEqual(reply["content"]["ename"], name)
        errors = [m for m in output if m["msg_type"] == "error"]
        self.assertEqual(len(errors), 1)
        self.assertEqual(errors[0]["content"]["evalue"], reply["content"]["evalue"])
        return reply["content"], output

    def test_errors(self):
        """Each way to fail is one error, with the notebook's line where there is one."""
        content, output = self.fails("%%\nvar m map[string]int\nm[\"a\"] = 1", "Panic")
        self.assertIn("line 3", content["evalue"])
        self.assertEqual(len(output), 1)
        content, output = self.fails("%%\n\nfmt.Println(undefinedName)", "CompileError")
        self.assertIn("line 3: undefined: undefinedName", content["evalue"])
        self.assertEqual(len(output), 1)
        self.fails("%%\nos.Exit(3)", "ExitStatus")
        self.fails('%%\nlog.Fatal("no")', "ExitStatus")
        self.fails("!false", "ExitStatus")
        self.fails("%%bash\nexit 2", "ExitStatus")
        self.fails("%nonsense", "MagicError")

    def test_live(self):
        """Live cells keep values, fail at their line, and can be interrupted."""
        self.flush_channels()
        self.execute_helper("%%live\nx := 41")
        content, output = self.fails("%%live\n\nx + undefinedName", "LiveError")
        self.assertIn("line 3", "".join(content["traceback"]))
        self.flush_channels()
        self.kc.execute('%%live\nx++\nfmt.Println("begun")\nfor { x++ }')
        while self.kc.get_iopub_msg(timeout=20)["msg_type"] != "stream":
            pass
        self.km.interrupt_kernel()
        reply = self.get_non_kernel_info_reply(timeout=20)
        self.assertEqual(reply["content"]["status"], "error")
        self.flush_channels()
        reply, output = self.execute_helper("%%live\nx > 41")
        self.assertEqual(output[0]["content"]["data"]["text/plain"], "true")

    def test_control(self):
        """Control requests are answered on the control socket."""
        self.flush_channels()
        message = self.kc.session.msg("interrupt_request", {})
        self.kc.control_channel.send(message)
        reply = self.kc.get_control_msg(timeout=10)
        jkt.validate_message(reply, "interrupt_reply", message["header"]["msg_id"])

    def test_interrupt(self):
        """An interrupt ends a cell, and the kernel lives on."""
        self.flush_channels()
        self.kc.execute('%%\nfmt.Println("begun")\ntime.Sleep(time.Hour)')
        while True:
            m = self.kc.get_iopub_msg(timeout=120)
            if m["msg_type"] in ("stream", "error"):
                break
        self.assertEqual(m["msg_type"], "stream")
        self.km.interrupt_kernel()
        reply = self.get_non_kernel_info_reply(timeout=20)
        self.assertEqual((reply["content"]["status"], reply["content"]["ename"]), ("error", "Interrupted"))
        self.test_execute_stdout()

    def test_stop_on_error(self):
        """Cells that wait are not run after one that failed."""
        self.flush_channels()
        ids = [self.kc.execute(c) for c in ('%%\npanic("x")', '%%\nfmt.Println("never")', "%ddps help")]
        status = {}
        while len(status) < len(ids):
            m = self.get_non_kernel_info_reply(timeout=120)
            status[m["parent_header"]["msg_id"]] = m["content"]["status"]
        self.assertEqual([status[i] for i in ids], ["error", "aborted", "aborted"])

    def test_comm_info(self):
        self.flush_channels()
        msg_id = self.kc.comm_info()
        reply = self.get_non_kernel_info_reply(timeout=10)
        jkt.validate_message(reply, "comm_info_reply", msg_id)


class Welcome(jkt.IopubWelcomeTests):
    kernel_name = "ddps"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main(verbosity=2)
