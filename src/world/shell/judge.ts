import { commandsFromInput, Findings } from "./findings.ts"
import type { InstalledPrograms } from "./machine.ts"
import { parseCommand } from "./parse.ts"
import { Paths } from "./paths.ts"
import { findProgramJudge } from "./programs/index.ts"
import { quoteWord } from "./quote.ts"
import { judgeRedirect } from "./redirect.ts"
import { resolveWord, type ShellArgument } from "./resolve-word.ts"
import type { Scene } from "./scene.ts"
import {
  assign,
  isSameState,
  leaveUnchanged,
  mergeOutcome,
  mergeStates,
  type ShellOutcome,
  type ShellState,
} from "./state.ts"
import type { Chain, CommandList, ShellCommand, ShellPipeline } from "./syntax.ts"
import { judgeUnknownProgram } from "./unknown-program.ts"
import { changesPrograms } from "./variable-names.ts"

const deepest = 20
const mostPasses = 6
const mostTurns = 50
/** Bounds loops inside loops, which would take too long to judge. */
const mostCommands = 5_000
const standardFolders = /^\/(?:usr\/)?(?:local\/)?s?bin\/[^/]+$/
/** Folders in which only the system installs programs. */
const systemFolders = /^\/(?:usr\/)?s?bin\/[^/]+$/

/**
 * Walks over the commands of a line and finds out what they would do. Each command is judged in the state
 * that the commands before it leave.
 */
export class Judge implements Scene {
  readonly findings = new Findings()
  readonly paths = new Paths()
  readonly root: string
  readonly home: string
  readonly machine: InstalledPrograms
  readonly #start: string
  #depth = 0
  #loops = 0
  #commands = 0
  /** The text of the command that is judged now. */
  #text = ""

  constructor({
    root,
    home,
    cwd,
    machine,
  }: { root: string; home: string; cwd: string; machine: InstalledPrograms }) {
    this.machine = machine
    this.#start = this.paths.real("/", cwd)
    this.root = this.paths.real("/", root)
    this.home = this.paths.real("/", home)
  }

  /** Judges a command line that a new shell would run. */
  begin(text: string, variables: ReadonlyMap<string, string>): void {
    this.script(text, { dialect: "bash", folders: [this.#start], variables })
  }

  script(text: string, state: ShellState): ShellOutcome {
    return this.#as(undefined, () => this.#script(text, state))
  }

  #script(text: string, state: ShellState): ShellOutcome {
    if (this.#depth >= deepest) {
      this.findings.addUnclear("commands are nested too deeply")
      return leaveUnchanged(state)
    }
    this.#depth++
    const { list, problem } = parseCommand(text, state.dialect)
    const outcome = this.#list(list, state)
    if (problem !== undefined) this.findings.addUnclear(`the command cannot be parsed: ${problem}`)
    this.#depth--
    return outcome
  }

  run(words: readonly ShellArgument[], state: ShellState): ShellOutcome {
    return this.#as(undefined, () => this.#run(words, state))
  }

  #as<Value>(doer: string | undefined, work: () => Value): Value {
    const before = this.findings.currentCommand
    this.findings.currentCommand = doer
    try {
      return work()
    } finally {
      this.findings.currentCommand = before
    }
  }

  #run(words: readonly ShellArgument[], state: ShellState): ShellOutcome {
    const [first, ...rest] = words
    if (!first) return leaveUnchanged(state)
    if (first.value === undefined) {
      this.findings.addUnclear(`the program ${first.written} is only known when the command runs`)
      return leaveUnchanged(state)
    }
    if (this.#depth >= deepest) {
      this.findings.addUnclear("commands are nested too deeply")
      return leaveUnchanged(state)
    }
    const { name, origin } = this.#nameOf(first.value, state)
    const text = [quoteWord(name), ...rest.map((word) => word.written)].join(" ")
    const before = this.#text
    this.#text = text
    this.findings.addCommand(name, text)
    this.#depth++
    const outcome = this.#as(text, () => {
      const program = findProgramJudge(name)
      // A program in another folder may still be the known one of that name, so its known effects are
      // reported, too.
      if (!program || origin === "other") judgeUnknownProgram(this, rest, state)
      return program?.(this, rest, state)
    })
    this.#depth--
    this.#text = before
    return outcome ?? leaveUnchanged(state)
  }

  reportUnknown(): void {
    this.findings.addUnknown(this.#text)
  }

  /** Names a program in a standard folder by its base name, and any other program by its path. */
  #nameOf(
    program: string,
    state: ShellState,
  ): { readonly name: string; readonly origin: "system" | "other" } {
    if (!program.includes("/")) return { name: program, origin: "system" }
    const [folder, ...others] = program.startsWith("/") ? ["/"] : (state.folders ?? [])
    if (folder === undefined || others.length > 0) {
      this.findings.addUnclear(`the program that ${program} means depends on the folder`)
      return { name: program, origin: "other" }
    }
    // Links in the folder are followed, but not the file itself: /usr/bin/python3 must keep its name.
    const base = program.slice(program.lastIndexOf("/") + 1)
    const place = this.paths.real(folder, program.slice(0, -base.length || undefined))
    const full = `${place === "/" ? "" : place}/${base}`
    const origin = systemFolders.test(full) ? "system" : "other"
    if (standardFolders.test(full)) return { name: base, origin }
    return { name: folder === "/" || folder === this.#start ? program : full, origin }
  }

  #list(list: CommandList, state: ShellState): ShellOutcome {
    let outcome = leaveUnchanged(state)
    for (const chain of list) outcome = this.#chain(chain, mergeOutcome(outcome))
    return outcome
  }

  #chain({ first, rest, background }: Chain, state: ShellState): ShellOutcome {
    let outcome = this.#pipeline(first, state)
    for (const { operator, pipeline } of rest) {
      const next = this.#pipeline(pipeline, operator === "&&" ? outcome.success : outcome.failure)
      outcome =
        operator === "&&"
          ? { success: next.success, failure: mergeStates(outcome.failure, next.failure) }
          : { success: mergeStates(outcome.success, next.success), failure: next.failure }
    }
    return background ? leaveUnchanged(state) : outcome
  }

  #pipeline({ commands, negated }: ShellPipeline, state: ShellState): ShellOutcome {
    if (commands.length === 1) {
      const outcome = this.#command(commands[0]!, state)
      return negated ? { success: outcome.failure, failure: outcome.success } : outcome
    }
    let downloads = false
    for (const command of commands) {
      const programs = this.#programsIn(() => this.#command(command, state))
      if (downloads && programs.includes(commandsFromInput))
        this.findings.addDangerous("the command downloads code and runs it unread")
      downloads ||= programs.some(isDownloader)
    }
    return leaveUnchanged(state)
  }

  #programsIn(work: () => void): readonly string[] {
    const before = this.findings.programs.length
    work()
    return this.findings.programs.slice(before)
  }

  #command(command: ShellCommand, state: ShellState): ShellOutcome {
    switch (command.type) {
      case "simple":
        return this.#simple(command, state)
      case "group":
        this.#redirects(command, state)
        return this.#list(command.body, state)
      case "subshell":
        this.#redirects(command, state)
        this.#list(command.body, state)
        return leaveUnchanged(state)
      case "if": {
        this.#redirects(command, state)
        let stateAfter: ShellState | undefined
        let untaken = state
        for (const { condition, body } of command.branches) {
          const outcome = condition ? this.#list(condition, untaken) : leaveUnchanged(untaken)
          const result = mergeOutcome(this.#list(body, outcome.success))
          stateAfter = stateAfter ? mergeStates(stateAfter, result) : result
          untaken = outcome.failure
        }
        return leaveUnchanged(mergeStates(stateAfter ?? state, untaken))
      }
      case "while":
        this.#redirects(command, state)
        return this.#repeat(state, (before) => {
          const outcome = this.#list(command.condition, before)
          return mergeStates(
            mergeOutcome(outcome),
            mergeOutcome(this.#list(command.body, mergeOutcome(outcome))),
          )
        })
      case "for": {
        this.#redirects(command, state)
        const values = command.words.map((word) => this.#argument(resolveWord(word, state), state))
        if (changesPrograms(command.name, undefined))
          this.findings.addUnclear(`setting ${command.name} can change what runs`)
        const knownValues = values.length <= mostTurns ? values.map((word) => word.value) : [undefined]
        return this.#repeat(state, (before) =>
          [...new Set(knownValues)].reduce<ShellState>(
            (stateAfter, value) =>
              mergeStates(
                stateAfter,
                mergeOutcome(this.#list(command.body, assign(before, command.name, value))),
              ),
            before,
          ),
        )
      }
    }
  }

  /**
   * Repeats a loop's body until another pass would start from the same state. Gives up after `mostPasses`.
   */
  #repeat(state: ShellState, turn: (before: ShellState) => ShellState): ShellOutcome {
    let before = state
    this.#loops++
    for (let pass = 0; pass < mostPasses; pass++) {
      const next = mergeStates(before, turn(before))
      if (isSameState(next, before)) {
        this.#loops--
        return leaveUnchanged(next)
      }
      before = next
    }
    this.#loops--
    this.findings.addUnclear("a loop keeps changing folders or variables")
    return leaveUnchanged({ ...state, folders: undefined, variables: new Map() })
  }

  #simple(command: ShellCommand & { type: "simple" }, state: ShellState): ShellOutcome {
    if (this.#loops > 0 && ++this.#commands > mostCommands)
      throw new Error("its loops have too many commands to check")
    let assignedState = state
    const argumentPrograms: string[] = []
    const argument = (word: ShellArgument) => {
      argumentPrograms.push(...this.#programsIn(() => this.#argument(word, state)))
      return word
    }
    for (const { name, value, appends } of command.assignments) {
      const { value: text } = argument(resolveWord(value, assignedState, "assigned"))
      if (changesPrograms(name, text)) this.findings.addUnclear(`setting ${name} can change what runs`)
      const knownValue = appends || text === undefined ? undefined : text
      assignedState = assign(assignedState, name, knownValue)
    }
    const words = command.words.map((word) => argument(resolveWord(word, state)))
    this.#redirects(command, state)
    if (words.length === 0) {
      // Without a program, bash assigns before it redirects and dash assigns afterwards, so both states are
      // judged.
      this.#redirects(command, assignedState)
      return leaveUnchanged(assignedState)
    }
    // An assignment in front of a program holds while the program runs, and `eval` sees it: the value counts
    // as unknown.
    const during = command.assignments.reduce((before, { name }) => assign(before, name, undefined), state)
    let outcome = leaveUnchanged(state)
    const programs = this.#programsIn(() => {
      outcome = this.run(words, command.assignments.length > 0 ? during : state)
    })
    if (
      argumentPrograms.some(isDownloader) &&
      programs.some((name) => name === commandsFromInput || name === "eval")
    )
      this.findings.addDangerous("the command downloads code and runs it unread")
    return outcome
  }

  #argument(argument: ShellArgument, state: ShellState): ShellArgument {
    if (argument.reason !== undefined) this.findings.addUnclear(argument.reason)
    for (const body of argument.bodies ?? []) this.#list(body, state)
    return argument
  }

  #redirects(command: ShellCommand, state: ShellState): void {
    for (const redirect of command.redirects) {
      const target = resolveWord(redirect.target, state, redirect.operator === "<<<" ? "assigned" : "word")
      if (redirect.operator === "<<") continue
      this.#argument(target, state)
      judgeRedirect(this, redirect.operator, target, state)
    }
  }
}

const isDownloader = (name: string) => /^(?:curl|wget|fetch|aria2c|http|https|xh|nc|ncat)$/.test(name)
