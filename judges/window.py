"""The window of the viewer on a virtual screen (Xvfb), used with real keys and a real mouse: window.py VIEWER SAMPLES FOLDER

SAMPLES has the files of `meshwright demo`. Pictures of each step go to FOLDER. The last line says what was seen.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image, ImageChops, ImageGrab
from Xlib import XK, X, display, protocol
from Xlib.ext import xtest

SIZE = (1280, 800)
# Software rendering on a busy machine is slow; nothing here measures time.
PATIENCE = 60.0


def wait(what, happened, patience=PATIENCE):
    """The first true answer of a function."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        answer = happened()
        if answer:
            return answer
        time.sleep(0.1)
    raise SystemExit(f"waited {patience:.0f} s in vain until {what}")


def difference(one, other):
    """The share of pixels that differ clearly."""
    values = ImageChops.difference(one, other).convert("L").histogram()
    return sum(values[16:]) / max(1, sum(values))


def views(screen, size):
    """The parts of the screen where the view can be: at its left edge, below the toolbar."""
    width, height = size
    return (screen.crop((0, top, width, top + height)) for top in range(SIZE[1] - height + 1))


class Screen:
    """A virtual screen."""

    def __init__(self):
        read, write = os.pipe()
        screen = f"{SIZE[0]}x{SIZE[1]}x24"
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if not number:
            raise SystemExit("Xvfb did not start")
        self.name = f":{number}"
        self.display = display.Display(self.name)

    def picture(self):
        return ImageGrab.grab(xdisplay=self.name).convert("RGB")

    def steady(self):
        """A picture after nothing has changed for a while."""
        before = self.picture()
        for _ in range(100):
            # Longer than the viewer waits before it draws all pixels of a picture that stands still.
            time.sleep(0.8)
            after = self.picture()
            if before.tobytes() == after.tobytes():
                return after
            before = after
        raise SystemExit("the picture never comes to rest")

    def close(self):
        self.display.close()
        self.server.terminate()
        self.server.wait()


class Viewer:
    """The viewer on a screen."""

    def __init__(self, screen, program, folder, *arguments):
        self.screen = screen
        environment = {key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "WAYLAND_SOCKET")}
        home = folder / "home"
        (home / "Pictures").mkdir(parents=True)
        environment |= {"DISPLAY": screen.name, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.pictures = home / "Pictures"
        self.log = open(folder / "viewer.log", "w+")
        self.process = subprocess.Popen([program, *map(str, arguments)], env=environment, stdout=self.log, stderr=self.log)
        self.window = wait("the window appears", self.find)
        self.window.configure(x=0, y=0, width=SIZE[0], height=SIZE[1])
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        screen.display.sync()

    def find(self):
        if self.process.poll() is not None:
            self.log.seek(0)
            raise SystemExit(f"the viewer ended with {self.process.returncode}: {self.log.read()[-2000:]}")
        for window in self.screen.display.screen().root.query_tree().children:
            shown = window.get_attributes().map_state == X.IsViewable
            if shown and window.get_geometry().width > 100:
                return window
        return None

    def key(self, name, *modifiers):
        codes = [self.screen.display.keysym_to_keycode(XK.string_to_keysym(key)) for key in (*modifiers, name)]
        for code in codes:
            xtest.fake_input(self.screen.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.screen.display, X.KeyRelease, code)
        self.screen.display.sync()
        time.sleep(0.2)

    def move(self, x, y):
        xtest.fake_input(self.screen.display, X.MotionNotify, x=int(x), y=int(y))
        self.screen.display.sync()
        time.sleep(0.1)

    def drag(self, start, end, button=1):
        self.move(*start)
        xtest.fake_input(self.screen.display, X.ButtonPress, button)
        self.screen.display.sync()
        # A frame may take long on a busy machine, and a press and a release within one frame are a click.
        time.sleep(0.5)
        for step in range(1, 6):
            self.move(*(a + (b - a) * step / 5 for a, b in zip(start, end)))
        time.sleep(0.5)
        xtest.fake_input(self.screen.display, X.ButtonRelease, button)
        self.screen.display.sync()
        time.sleep(0.2)

    def quit(self):
        """Asks the window to close, as its button does, and returns the exit code."""
        atom = self.screen.display.intern_atom
        event = protocol.event.ClientMessage(
            window=self.window, client_type=atom("WM_PROTOCOLS"), data=(32, [atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0])
        )
        self.window.send_event(event)
        self.screen.display.sync()
        return self.process.wait(PATIENCE)


def judge(program, samples, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    screen = Screen()
    viewer = None
    try:
        started = time.monotonic()
        # Everything from one folder: the arrow keys step through it. Time stands still until it is asked to pass.
        viewer = Viewer(screen, program, folder, samples / "mwtank.w3d", "--no-play", "--time", "0", "--panel", "parts")
        blank = Image.new("RGB", SIZE)
        wait("something is drawn", lambda: difference(screen.picture(), blank) > 0.2)
        first = time.monotonic() - started
        steps = []

        def see(name):
            picture = screen.steady()
            picture.save(folder / f"{len(steps):02}-{name}.png")
            steps.append(name)
            return picture

        middle = (SIZE[0] // 2, SIZE[1] // 2)
        viewer.move(*middle)
        tank = see("tank")

        def changed(name, before, least=0.002):
            wait(f"{least:.2%} of the picture change ({name})", lambda: difference(before, screen.picture()) >= least)
            return see(name)

        # Play: two moments of a moving picture differ.
        viewer.key("space")
        wait("the clip plays", lambda: difference(tank, screen.picture()) > 0.0005)
        viewer.key("space")
        stopped = see("played")
        # Frame by frame, and another clip.
        for _ in range(5):
            viewer.key("period")
        stepped = changed("stepped", stopped, 0.00001)
        # The mouse turns the camera.
        for _ in range(5):
            viewer.drag(middle, (middle[0] + 150, middle[1] + 40))
            if difference(stepped, screen.steady()) >= 0.01:
                break
        turned = changed("turned", stepped, 0.01)
        # Hide the first part.
        viewer.key("j")
        selected = changed("selected", turned, 0.005)
        viewer.key("Delete")
        hidden = changed("hidden", selected)
        # Shown again, it looks as before.
        viewer.key("Delete")
        wait("the part is shown again", lambda: difference(selected, screen.picture()) < difference(selected, hidden) / 4)
        viewer.key("Escape")
        # A picture is saved. The processor draws it, so it is compared with what the graphics adapter shows in the window.
        see("deselected")
        viewer.key("F12")
        saved = wait("a picture is saved", lambda: [path for path in viewer.pictures.iterdir() if path.stat().st_size > 1000])
        with Image.open(saved[0]) as image:
            picture = image.convert("RGB")
        colours = picture.getcolors(1 << 24)
        if len(colours) < 50:
            raise SystemExit(f"{saved[0].name} has {len(colours)} colours")
        # Closes the message about the saved file.
        viewer.key("Escape")

        def differing():
            return min(difference(picture, view) for view in views(screen.picture(), picture.size))

        wait(f"99 % of {saved[0].name} are as in the window", lambda: differing() <= 0.01)
        share = differing()
        # The next model, and a clip of it.
        viewer.key("Right")
        tower = changed("next-model", turned, 0.02)
        viewer.key("Next")
        viewer.key("period")
        changed("next-clip", tower, 0.0005)
        viewer.key("F1")
        see("help")
        viewer.key("Escape")
        code = viewer.quit()
        if code != 0:
            raise SystemExit(f"the viewer ended with {code}")
        print(f"{len(steps)} pictures, the first after {first:.1f} s; {saved[0].name} differs from the window in {share:.2%} of its pixels")
    finally:
        if viewer and viewer.process.poll() is None:
            screen.picture().save(folder / "last.png")
            viewer.process.kill()
        screen.close()


if __name__ == "__main__":
    judge(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
