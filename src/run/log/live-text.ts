import type { ModelSource } from "../../agent/model.ts"

/**
 * Shows the text of a reply while it arrives, with the models' API keys removed. Text that may be the beginning of a key
 * is held back until that is clear.
 */
export class LiveText {
  readonly #models: Pick<ModelSource, "redact" | "unfinished">
  readonly #show: (text: string) => void
  #pending = ""

  constructor(models: Pick<ModelSource, "redact" | "unfinished">, show: (text: string) => void) {
    this.#models = models
    this.#show = show
  }

  add(text: string): void {
    const { redact, unfinished } = this.#models
    const whole = this.#pending + text
    const cut = whole.length - (unfinished?.(whole) ?? 0)
    const [shown, rest] = [redact(whole.slice(0, cut)), whole.slice(cut)]
    // The end of one key may be the beginning of another. Then the text must not be cut between them.
    const cutsNoKey = rest === "" || shown + redact(rest) === redact(whole)
    this.#pending = cutsNoKey ? rest : whole
    if (cutsNoKey && shown !== "") this.#show(shown)
  }

  /** Shows the rest. Call it after the last text. */
  end(): void {
    const rest = this.#models.redact(this.#pending)
    this.#pending = ""
    if (rest !== "") this.#show(rest)
  }
}
