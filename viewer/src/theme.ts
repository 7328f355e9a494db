// Light or dark: what the system says, until somebody chooses.

const kStorageKey = "grouser-theme";

/** A page from a file may be refused any memory. */
function remembered(): string | null {
  try {
    return localStorage.getItem(kStorageKey);
  } catch {
    return null;
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(kStorageKey, theme);
  } catch {
    // Then the next load asks the system again.
  }
}

export class Theme {
  dark: boolean;

  constructor(button: HTMLElement, private readonly changed: (dark: boolean) => void) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = remembered();
    this.dark = chosen === null ? system.matches : chosen === "dark";
    this.apply();
    button.addEventListener("click", () => {
      this.dark = !this.dark;
      remember(this.dark ? "dark" : "light");
      this.apply();
    });
    system.addEventListener("change", () => {
      if (remembered() !== null) return;
      this.dark = system.matches;
      this.apply();
    });
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
    this.changed(this.dark);
  }
}
