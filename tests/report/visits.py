"""A page that was opened from disk, with all that it said and asked for."""

from pathlib import Path

from playwright.sync_api import Browser, Page


class Visit:
    """A page that was opened, with all that it said and asked for."""

    def __init__(
        self,
        browser: Browser,
        file: Path,
        width: int = 1200,
        scheme: str = "light",
        place: str = "",
    ):
        self.said: list[str] = []
        self.asked: list[str] = []
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        context.route("**/*", self._answer)
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(file.as_uri() + place)

    def see_all(self) -> "Visit":
        """Open what is closed and scroll through it, so that every figure is drawn."""
        self.page.evaluate(
            "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
        )
        for figure in self.page.locator("figure").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".main-svg").first.wait_for()
        return self

    def units(self, kind: str) -> list[str]:
        """The words of the units of that kind that are shown."""
        shown = self.page.locator(f"[data-unit={kind}]:not([hidden])").all()
        return [
            str(
                unit.get_attribute("data-word")
                or unit.get_attribute("data-row")
                or unit.get_attribute("id")
            )
            for unit in shown
        ]

    def hash(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def _answer(self, route) -> None:
        url = route.request.url
        if url.startswith("file:"):
            route.continue_()
        else:
            self.asked.append(url)
            route.abort()

    def points(self) -> list[str]:
        """Where the points of the moving figure are drawn."""
        drawn = self.page.locator("[id='toy.item.moving'] .points path").all()
        return [str(point.get_attribute("transform")) for point in drawn]

    def wide(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))
