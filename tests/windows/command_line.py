"""The command line of the program for Windows: exit codes, paths, names, files of other programs, Ctrl+C, detection.

    python command_line.py

Run by `run`. What must hold: everything works as on Linux, except for what Windows itself does differently.
"""

import json
import unittest

from machine import DRIVE, Held, Service, fresh, run, seed, unix, write


def names(data):
    listed = run("list", "assets", "--data", data, "--json")
    assert listed.code == 0, listed
    return sorted(asset["name"] for asset in listed.json())


class Case(unittest.TestCase):
    def setUp(self):
        # Backups are beside the data.
        self.data = fresh("test") + "\\data"
        self.work = fresh("work")

    def ends(self, code, *arguments, **more):
        ended = run(*arguments, **more)
        self.assertEqual(ended.code, code, ended)
        return ended


class ExitCodes(Case):
    def test_done_is_0_failed_is_1_wrong_is_2(self):
        version = self.ends(0, "--version").out
        self.assertRegex(version, r"^lunette \d+\.\d+\.\d+\n$")
        self.ends(1, "import", f"{self.work}\\none.txt", "--data", self.data)
        self.ends(2, "nonsense")
        self.ends(2, "list", "assets", "--url", "http://127.0.0.1:9")

    def test_a_folder_that_is_served_is_used_through_its_service_and_not_served_twice(self):
        service = Service(self.data)
        try:
            service.ask("/assets/create", seed("through.txt", "a"))
            self.assertEqual(names(self.data), ["through.txt"])
            second = self.ends(2, "serve", "--port", "0", "--data", self.data)
            self.assertIn("another", second.err)
        finally:
            service.kill()


class Paths(Case):
    def test_drive_letters_spaces_and_any_script(self):
        write(f"{self.work}\\with space\\größe 日本 שלום.py", "print('hé')\n")
        found = self.ends(0, "import", f"{self.work}\\with space", "--data", self.data)
        self.assertIn("größe 日本 שלום.py", found.out)
        self.assertEqual(names(self.data), ["größe 日本 שלום.py"])

    def test_forward_slashes_and_relative_paths(self):
        write(f"{self.work}\\a\\b.txt", "b")
        self.ends(0, "import", "C:/work/a/b.txt", "--data", "C:/test/data")
        write(f"{self.work}\\a\\c.txt", "c")
        self.ends(0, "import", "..\\a\\c.txt", "--data", self.data, cwd=unix(f"{self.work}\\a"))
        self.assertEqual(names(self.data), ["b.txt", "c.txt"])

    def test_paths_of_more_than_260_characters(self):
        below = "".join(f"\\{'folder' * 5}{number}" for number in range(12))
        deep, data = self.work + below, f"C:\\test{below}\\data"
        self.assertGreater(len(deep), 350)
        path = write(f"{deep}\\file.txt", "deep")
        # A file is named, found below a folder, and written to a long path; and the data is kept at one.
        self.ends(0, "import", path, "--data", self.data)
        write(f"{deep}\\other.txt", "deep too")
        self.ends(0, "import", self.work, "--data", data)
        self.assertEqual(names(data), ["file.txt", "other.txt"])
        [asset] = [one for one in run("list", "assets", "--data", self.data, "--json").json()]
        self.ends(0, "export", asset["id"], "-o", f"{deep}\\exported.txt", "--data", self.data)
        self.assertEqual(unix(f"{deep}\\exported.txt").read_text(), "deep")

    def test_the_data_folder_of_the_user(self):
        # Served, so that no other service on this machine is found first.
        service = Service(None)
        service.ask("/assets/create", seed("mine.txt", "mine"))
        self.assertEqual(service.interrupt(), 0)
        [found] = DRIVE.glob("users/*/AppData/Local/lunette/data/lunette.sqlite3")
        self.assertGreater(found.stat().st_size, 0)


class Names(Case):
    NAMES = ["con", "NUL.txt", "com1.log", "aux.", "a:b", "what?.txt", "a<b>|c\".txt", "dot.", "space ", "..\\up", "x/y", "*"]

    def test_names_that_windows_forbids_become_files(self):
        service = Service(self.data)
        try:
            ids = [service.ask("/assets/create", seed(name, f"of {name}"))["id"] for name in self.NAMES]
            target = fresh("exported")
            exported = self.ends(0, "export", *ids, "-o", target, "--url", service.url)
            files = sorted(path.name for path in unix(target).iterdir())
            self.assertEqual(len(files), len(ids), (files, exported))
            for name in files:
                stem = name.split(".")[0].lower()
                self.assertNotRegex(stem, r"^(con|nul|aux|prn|com\d|lpt\d)$")
                self.assertNotRegex(name, r'[<>:"/\\|?*\x00-\x1f]|[. ]$')
            texts = sorted(unix(f"{target}\\{name}").read_text() for name in files)
            self.assertEqual(texts, sorted(f"of {name}" for name in self.NAMES))
        finally:
            service.kill()


class FilesOfOthers(Case):
    def test_a_file_that_another_program_holds_is_named_and_the_rest_is_imported(self):
        held = write(f"{self.work}\\held.txt", "held")
        write(f"{self.work}\\free.txt", "free")
        with Held(held):
            ended = self.ends(1, "import", self.work, "--data", self.data)
        self.assertIn("held.txt", ended.err)
        self.assertEqual(names(self.data), ["free.txt"])
        self.ends(0, "import", self.work, "--data", self.data)
        self.assertEqual(names(self.data), ["free.txt", "held.txt"])

    def test_a_file_held_by_another_program_is_not_exported_over(self):
        service = Service(self.data)
        try:
            made = service.ask("/assets/create", seed("note.txt", "new"))
            path = write(f"{self.work}\\note.txt", "old")
            with Held(path, "read"):
                ended = self.ends(1, "export", made["id"], "-o", path, "--force", "--url", service.url)
                self.assertIn("note.txt", ended.err)
            self.assertEqual(unix(path).read_text(), "old")
            self.assertEqual([one.name for one in unix(self.work).iterdir()], ["note.txt"], "nothing is left behind")
            self.ends(0, "export", made["id"], "-o", path, "--force", "--url", service.url)
            self.assertEqual(unix(path).read_text(), "new")
        finally:
            service.kill()

    def test_a_database_held_by_another_program_is_reported_and_kept(self):
        write(f"{self.work}\\a.txt", "a")
        self.ends(0, "import", self.work, "--data", self.data)
        with Held(f"{self.data}\\lunette.sqlite3"):
            ended = self.ends(2, "list", "assets", "--data", self.data)
            self.assertTrue(ended.err)
        self.assertEqual(names(self.data), ["a.txt"])


class Backups(Case):
    def test_what_was_deleted_comes_back_with_a_backup(self):
        write(f"{self.work}\\a.txt", "a")
        write(f"{self.work}\\b.txt", "b")
        self.ends(0, "import", self.work, "--data", self.data)
        made = self.ends(0, "backup", "--data", self.data).out.strip()
        self.assertTrue(unix(made).exists(), made)
        for asset in run("list", "assets", "--data", self.data, "--json").json():
            self.ends(0, "delete", asset["id"], "--data", self.data)
        self.assertEqual(names(self.data), [])
        self.ends(0, "restore", made, "--data", self.data)
        self.assertEqual(names(self.data), ["a.txt", "b.txt"])


class Bulk(Case):
    def plan(self, count):
        for number in range(count):
            write(f"{self.work}\\{number}.txt", str(number))
        self.ends(0, "import", self.work, "--data", self.data)
        assets = [asset["id"] for asset in run("list", "assets", "--data", self.data, "--json").json()]
        plan = {"version": 1, "title": "Favourites", "in_flight": 4, "each": {"favourite": True}, "assets": assets}
        return write("C:\\plan ü.json", json.dumps(plan))

    def test_a_plan_is_tried_applied_and_reported(self):
        plan = self.plan(5)
        self.ends(0, "bulk", plan, "--dry-run", "--data", self.data)
        report = "C:\\report.csv"
        self.ends(0, "bulk", plan, "--report", report, "--csv", "--data", self.data)
        listed = run("list", "assets", "--data", self.data, "--json").json()
        self.assertEqual([asset["favourite"] for asset in listed], [True] * 5)
        self.assertEqual(unix(report).read_text().count("\n"), 6)


class Interrupted(Case):
    def test_ctrl_c_ends_the_service_with_0_and_its_folder_is_free(self):
        service = Service(self.data)
        service.ask("/assets/create", seed("kept.txt", "kept"))
        self.assertEqual(service.interrupt(), 0)
        self.assertFalse(unix(f"{self.data}\\lunette.address").exists(), "its address is withdrawn")
        self.assertEqual(names(self.data), ["kept.txt"])


class Detected(Case):
    def key(self, root, name, **values):
        path = f"{root}\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\{name}"
        for value, (kind, text) in values.items():
            added = run("add", path, "/v", value, "/t", kind, "/d", text, "/f", program="reg")
            self.assertEqual(added.code, 0, added)

    def test_the_registry_and_the_start_menu_are_read(self):
        text = "REG_SZ"
        self.key("HKCU", "Editor_is1", DisplayName=(text, "Example Editor ü"), DisplayVersion=(text, "1.2.3"))
        self.key("HKLM", "Tool", DisplayName=(text, "Example Tool"), InstallLocation=(text, "C:\\tool"))
        self.key("HKLM", "Part", DisplayName=(text, "A part of the system"), SystemComponent=("REG_DWORD", "1"))
        [menu] = DRIVE.glob("users/*/AppData/Roaming/Microsoft/Windows/Start Menu/Programs")
        (menu / "Vendor").mkdir(exist_ok=True)
        (menu / "Vendor/Portable Thing.lnk").write_bytes(b"")
        service = Service(self.data)
        found = self.ends(0, "call", "applicationsExternalSnapshot", "--url", service.url).out
        self.assertEqual(service.interrupt(), 0)
        for name in ["Example Editor ü", "Example Tool", "Portable Thing"]:
            self.assertIn(name, found)
        self.assertIn("1.2.3", found)
        self.assertNotIn("A part of the system", found)


if __name__ == "__main__":
    unittest.main(verbosity=2)
