import path from "node:path"
import type { Access } from "../../agent/tool.ts"

/** Listed among the programs where a program takes its commands from its input. */
export const commandsFromInput = "commands from input"

/** The accesses that were found, in order and without duplicates. */
export class Findings {
  readonly #accesses = new Map<string, Access>()
  /** The programs named so far. The judge reads them to see which programs a part of a pipeline ran. */
  readonly programs: string[] = []
  /**
   * The command whose program is judged now: new findings are attributed to it. Undefined: to the shell
   * itself.
   */
  currentCommand: string | undefined
  readonly #parts = new Map<string, number>()
  readonly #links = { itself: new Set<string>(), below: new Set<string>() }

  get all(): readonly Access[] {
    return [...this.#accesses.values()].map((access) => {
      const part = access.type === "command" && !access.implied ? this.#parts.get(access.text) : undefined
      return part === undefined ? access : { ...access, part }
    })
  }

  addCommand(program: string, text: string): void {
    this.programs.push(program)
    this.#add({ type: "command", text })
  }

  /** Another name of a command that was reported before, such as `git push` for `git -C x push`. */
  addAlias(text: string): void {
    this.#add({ type: "command", text, implied: "certain" })
  }

  /** Marks a command as one whose effects are unknown. */
  addUnknown(text: string): void {
    this.#accesses.set(keyOf({ type: "command", text }), { type: "command", text, loose: "free" })
  }

  addPath(type: "read" | "write", path: string, reach: "itself" | "below" = "itself"): void {
    const below = reach === "below" && { below: true as const }
    this.#add(type === "read" ? { type, path, ...below } : { type, path, ...below, ...this.#by() })
  }

  /** A change that the decision about the command covers, unless a rule is about the path. */
  addChange(path: string, reach: "itself" | "below", implied: "certain" | "possible"): void {
    this.#add({ type: "write", path, ...(reach === "below" && { below: true as const }), implied })
  }

  /** From here on there may be links at a path, or below it, whose targets are unknown. */
  addLink(path: string, reach: "itself" | "below"): void {
    this.#links[reach].add(path)
  }

  /** True if an earlier command may have put a link at a path or above it. */
  mayBeLink(place: string): boolean {
    const { itself, below } = this.#links
    if (itself.size + below.size === 0) return false
    for (let above = place; ; above = path.dirname(above)) {
      if (itself.has(above) || (above !== place && below.has(above))) return true
      if (above === path.dirname(above)) return false
    }
  }

  /** True if an earlier command may have put a link below a path. */
  mayHoldLinks(place: string): boolean {
    const inside = place === "/" ? "/" : `${place}/`
    return [...this.#links.itself, ...this.#links.below].some((link) => link.startsWith(inside))
  }

  addHost(host: string): void {
    this.#add({ type: "host", host: host.toLowerCase() })
  }

  addUnclear(reason: string): void {
    this.#add({ type: "unclear", reason, ...this.#by() })
  }

  addDangerous(reason: string): void {
    this.#add({ type: "dangerous", reason, ...this.#by() })
  }

  /** A number in place of the command's text, because a long command may write thousands of files. */
  #by(): { readonly by?: number } {
    if (this.currentCommand === undefined) return {}
    const by = this.#parts.get(this.currentCommand) ?? this.#parts.size + 1
    this.#parts.set(this.currentCommand, by)
    return { by }
  }

  #add(access: Access): void {
    const key = keyOf(access)
    if (!this.#accesses.has(key)) this.#accesses.set(key, access)
  }
}

const keyOf = (access: Access): string => JSON.stringify(access)
