import { mostPrinted } from "./protocol.ts"

/** Keeps the beginning of what a script prints, and counts the rest. */
export class Printed {
  #kept = ""
  #dropped = 0

  add(text: string): void {
    const room = mostPrinted - this.#kept.length
    this.#kept += text.slice(0, Math.max(0, room))
    this.#dropped += Math.max(0, text.length - room)
  }

  get text(): { printed?: string } {
    if (this.#kept === "") return {}
    return {
      printed: this.#dropped === 0 ? this.#kept : `${this.#kept}\n[${this.#dropped} characters left out]`,
    }
  }
}
