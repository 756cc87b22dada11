import { commandsFromInput, Findings } from "./findings.ts"
import type { Machine } from "./machine.ts"
import { nobodyKnows } from "./nobody-knows.ts"
import { parseCommand } from "./parse.ts"
import { Paths } from "./paths.ts"
import { programOf } from "./programs/index.ts"
import { quoteWord } from "./quote.ts"
import { judgeRedirect } from "./redirect.ts"
import { type Argument, resolveWord } from "./resolve-word.ts"
import type { Scene } from "./scene.ts"
import { after, assign, either, type Outcome, type State, same, unchanged } from "./state.ts"
import type { Chain, Command, List, Pipeline } from "./syntax.ts"
import { changesPrograms } from "./variable-names.ts"

const deepest = 20
const mostPasses = 6
const mostTurns = 50
/** Of loops in loops, which come to more than anybody waits for. */
const mostCommands = 5_000
const standardFolders = /^\/(?:usr\/)?(?:local\/)?s?bin\/[^/]+$/
/** Where only the system puts programs. */
const systemFolders = /^\/(?:usr\/)?s?bin\/[^/]+$/

/** Walks over commands and finds out what they would do, each in the state that those before it leave. */
export class Judge implements Scene {
  readonly found = new Findings()
  readonly paths = new Paths()
  readonly root: string
  readonly home: string
  readonly machine: Machine
  readonly #start: string
  #depth = 0
  #loops = 0
  #commands = 0
  /** The command that is judged now. */
  #text = ""

  constructor({ root, home, cwd, machine }: { root: string; home: string; cwd: string; machine: Machine }) {
    this.machine = machine
    this.#start = this.paths.real("/", cwd)
    this.root = this.paths.real("/", root)
    this.home = this.paths.real("/", home)
  }

  /** What a shell would do that starts with a command line. */
  begin(text: string, variables: ReadonlyMap<string, string>): void {
    this.script(text, { dialect: "bash", folders: [this.#start], variables })
  }

  script(text: string, state: State): Outcome {
    return this.#as(undefined, () => this.#script(text, state))
  }

  #script(text: string, state: State): Outcome {
    if (this.#depth >= deepest) {
      this.found.unclear("commands are handed on too often")
      return unchanged(state)
    }
    this.#depth++
    const { list, problem } = parseCommand(text, state.dialect)
    const outcome = this.#list(list, state)
    if (problem !== undefined) this.found.unclear(`the command is not understood: ${problem}`)
    this.#depth--
    return outcome
  }

  run(words: readonly Argument[], state: State): Outcome {
    return this.#as(undefined, () => this.#run(words, state))
  }

  #as<Value>(doer: string | undefined, work: () => Value): Value {
    const before = this.found.doer
    this.found.doer = doer
    try {
      return work()
    } finally {
      this.found.doer = before
    }
  }

  #run(words: readonly Argument[], state: State): Outcome {
    const [first, ...rest] = words
    if (!first) return unchanged(state)
    if (first.value === undefined) {
      this.found.unclear(`which program ${first.written} is shows only when it runs`)
      return unchanged(state)
    }
    if (this.#depth >= deepest) {
      this.found.unclear("commands are handed on too often")
      return unchanged(state)
    }
    const { name, whose } = this.#nameOf(first.value, state)
    const text = [quoteWord(name), ...rest.map((word) => word.written)].join(" ")
    const before = this.#text
    this.#text = text
    this.found.command(name, text)
    this.#depth++
    const outcome = this.#as(text, () => {
      const known = programOf(name)
      // Of one that lies elsewhere what its name stands for is told, too: it may be that one.
      if (!known || whose === "somebody's") nobodyKnows(this, rest, state)
      return known?.(this, rest, state)
    })
    this.#depth--
    this.#text = before
    return outcome ?? unchanged(state)
  }

  unknown(): void {
    this.found.unknown(this.#text)
  }

  /** A program of the system by its name, wherever it was called from; any other by its path. */
  #nameOf(
    program: string,
    state: State,
  ): { readonly name: string; readonly whose: "the system's" | "somebody's" } {
    if (!program.includes("/")) return { name: program, whose: "the system's" }
    const [folder, ...others] = program.startsWith("/") ? ["/"] : (state.folders ?? [])
    if (folder === undefined || others.length > 0) {
      this.found.unclear(`which program ${program} is depends on the folder`)
      return { name: program, whose: "somebody's" }
    }
    // The folder without links, but not the file: /usr/bin/python3 is to stay what it is called.
    const base = program.slice(program.lastIndexOf("/") + 1)
    const place = this.paths.real(folder, program.slice(0, -base.length || undefined))
    const full = `${place === "/" ? "" : place}/${base}`
    const whose = systemFolders.test(full) ? "the system's" : "somebody's"
    if (standardFolders.test(full)) return { name: base, whose }
    return { name: folder === "/" || folder === this.#start ? program : full, whose }
  }

  #list(list: List, state: State): Outcome {
    let outcome = unchanged(state)
    for (const chain of list) outcome = this.#chain(chain, after(outcome))
    return outcome
  }

  #chain({ first, rest, background }: Chain, state: State): Outcome {
    let outcome = this.#pipeline(first, state)
    for (const { operator, pipeline } of rest) {
      const next = this.#pipeline(pipeline, operator === "&&" ? outcome.success : outcome.failure)
      outcome =
        operator === "&&"
          ? { success: next.success, failure: either(outcome.failure, next.failure) }
          : { success: either(outcome.success, next.success), failure: next.failure }
    }
    return background ? unchanged(state) : outcome
  }

  #pipeline({ commands, negated }: Pipeline, state: State): Outcome {
    if (commands.length === 1) {
      const outcome = this.#command(commands[0]!, state)
      return negated ? { success: outcome.failure, failure: outcome.success } : outcome
    }
    let downloads = false
    for (const command of commands) {
      const programs = this.#programsIn(() => this.#command(command, state))
      if (downloads && programs.includes(commandsFromInput))
        this.found.dangerous("it runs what it downloads, unread")
      downloads ||= programs.some(isDownloader)
    }
    return unchanged(state)
  }

  #programsIn(work: () => void): readonly string[] {
    const before = this.found.programs.length
    work()
    return this.found.programs.slice(before)
  }

  #command(command: Command, state: State): Outcome {
    switch (command.type) {
      case "simple":
        return this.#simple(command, state)
      case "group":
        this.#redirects(command, state)
        return this.#list(command.body, state)
      case "subshell":
        this.#redirects(command, state)
        this.#list(command.body, state)
        return unchanged(state)
      case "if": {
        this.#redirects(command, state)
        let ended: State | undefined
        let untaken = state
        for (const { condition, body } of command.branches) {
          const outcome = condition ? this.#list(condition, untaken) : unchanged(untaken)
          const result = after(this.#list(body, outcome.success))
          ended = ended ? either(ended, result) : result
          untaken = outcome.failure
        }
        return unchanged(either(ended ?? state, untaken))
      }
      case "while":
        this.#redirects(command, state)
        return this.#repeat(state, (before) => {
          const outcome = this.#list(command.condition, before)
          return either(after(outcome), after(this.#list(command.body, after(outcome))))
        })
      case "for": {
        this.#redirects(command, state)
        const values = command.words.map((word) => this.#argument(resolveWord(word, state), state))
        if (changesPrograms(command.name, undefined))
          this.found.unclear(`setting ${command.name} can change what runs`)
        const known = values.length <= mostTurns ? values.map((word) => word.value) : [undefined]
        return this.#repeat(state, (before) =>
          [...new Set(known)].reduce<State>(
            (ended, value) =>
              either(ended, after(this.#list(command.body, assign(before, command.name, value)))),
            before,
          ),
        )
      }
    }
  }

  /** Until another turn could not start from anything new. */
  #repeat(state: State, turn: (before: State) => State): Outcome {
    let before = state
    this.#loops++
    for (let pass = 0; pass < mostPasses; pass++) {
      const ended = either(before, turn(before))
      if (same(ended, before)) {
        this.#loops--
        return unchanged(ended)
      }
      before = ended
    }
    this.#loops--
    this.found.unclear("a loop leads to ever new folders or values")
    return unchanged({ ...state, folders: undefined, variables: new Map() })
  }

  #simple(command: Command & { type: "simple" }, state: State): Outcome {
    if (this.#loops > 0 && ++this.#commands > mostCommands)
      throw new Error("there is too much in it to look through")
    let assigned = state
    const made: string[] = []
    const argument = (word: Argument) => {
      made.push(...this.#programsIn(() => this.#argument(word, state)))
      return word
    }
    for (const { name, value, appends } of command.assignments) {
      const { value: text } = argument(resolveWord(value, assigned, "assigned"))
      if (changesPrograms(name, text)) this.found.unclear(`setting ${name} can change what runs`)
      const known = appends || text === undefined ? undefined : text
      assigned = assign(assigned, name, known)
    }
    const words = command.words.map((word) => argument(resolveWord(word, state)))
    this.#redirects(command, state)
    if (words.length === 0) {
      // Without a program bash assigns before it redirects, and dash behind it.
      this.#redirects(command, assigned)
      return unchanged(assigned)
    }
    // What stands in front holds while it runs, and for eval that is seen inside.
    const during = command.assignments.reduce((before, { name }) => assign(before, name, undefined), state)
    let outcome = unchanged(state)
    const programs = this.#programsIn(() => {
      outcome = this.run(words, command.assignments.length > 0 ? during : state)
    })
    if (made.some(isDownloader) && programs.some((name) => name === commandsFromInput || name === "eval"))
      this.found.dangerous("it runs what it downloads, unread")
    return outcome
  }

  #argument(argument: Argument, state: State): Argument {
    if (argument.reason !== undefined) this.found.unclear(argument.reason)
    for (const body of argument.bodies ?? []) this.#list(body, state)
    return argument
  }

  #redirects(command: Command, state: State): void {
    for (const redirect of command.redirects) {
      const target = resolveWord(redirect.target, state, redirect.operator === "<<<" ? "assigned" : "word")
      if (redirect.operator === "<<") continue
      this.#argument(target, state)
      judgeRedirect(this, redirect.operator, target, state)
    }
  }
}

const isDownloader = (name: string) => /^(?:curl|wget|fetch|aria2c|http|https|xh|nc|ncat)$/.test(name)
