/**
 * True if a provider reports the model that it was asked for, apart from `latest`, a path before the name and
 * a date. If both names have a date, it must be the same.
 */
export function isSameModel(requested: string, reported: string): boolean {
  if (requested === reported) return true
  const [one, other] = [plain(requested), plain(reported)]
  return one === other || undated(one) === other || one === undated(other)
}

/**
 * Strips the extras of names such as `models/gemini-2.5-pro`, `llama3:latest`, `/models/qwen.gguf` and
 * `gpt-5:floor`.
 */
function plain(name: string): string {
  return name
    .toLowerCase()
    .slice(name.lastIndexOf("/") + 1)
    .replace(/\.gguf$/, "")
    .replace(/\[[^\]]*\]$/, "")
    .replace(/[-:](?:latest|free|nitro|floor|online|exacto)$/, "")
    .replace(/[-@](\d{4})-?(\d{2})-?(\d{2})$/, "-$1$2$3")
}

/** A date is a day (`20250929`, `0613`), a month (`2512`), or a number such as `001`. */
const undated = (name: string): string =>
  name.replace(/-(?:\d{8}|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|2\d(?:0[1-9]|1[0-2])|00\d)$/, "")
