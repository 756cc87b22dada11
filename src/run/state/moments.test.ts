import fc from "fast-check"
import { expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { runStart } from "../../../test/run-start.ts"
import { checkHistory } from "../../faces/testing/history.ts"
import type { Action } from "../decide/action.ts"
import { applyRunEvent } from "../decide/apply.ts"
import { decide } from "../decide/decide.ts"
import type { AskedCall, Fact, HookSpawn, MomentEnd } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { RunStart } from "../log/event-run.ts"
import { momentNames } from "./moments.ts"
import { emptyRunState, type RunState } from "./state.ts"

const start: RunStart = {
  ...runStart,
  limits: { maxTurns: 9, maxToolCalls: 12, maxDepth: 3, timeout: 1e9 },
  rights: [{ of: "x", rules: [{ tool: "Agent(no)", decision: "deny" }], otherwise: "allow" }],
  tools: ["read", "Agent", "submit_result"],
  moments: Object.fromEntries(momentNames.map((name) => [name, ["h"]])),
}

/** A driver whose hooks, model, tools and children act at random. It dies now and then. */
class Chance {
  state: RunState
  #seq = 0
  readonly asked: string[] = []
  readonly #next: (below: number) => number

  constructor(next: (below: number) => number, submits: boolean) {
    this.#next = next
    this.state = emptyRunState("r")
    this.#record(submits ? start : { ...start, tools: ["read", "Agent"] })
  }

  /** Does the next thing, or says that nothing would ever happen again. */
  step(): "stuck" | undefined {
    if (this.#next(12) === 0) {
      this.#record({ type: "run-resume" })
      return undefined
    }
    const now = this.state.lastAt + 1
    const actions = decide(this.state, { now, lastSign: now })
    const action = actions.find(({ type }) => type !== "wait" && type !== "rest" && type !== "abort")
    if (action && action.type !== "cancel-children") {
      for (const fact of this.#does(action)) this.#record(fact)
      return undefined
    }
    const children = [...this.state.children].filter(({ failed }) => !failed)
    const child = children[this.#next(children.length)]
    if (!child) return "stuck"
    this.#record({
      type: "child-end",
      child: child.run,
      key: `${child.run}:end`,
      outcome: this.#outcome(),
      output: "report",
      usage: {},
    })
    return undefined
  }

  #does(action: Action): readonly Fact[] {
    switch (action.type) {
      case "ask-hooks":
        this.asked.push(action.id)
        return [this.#verdict(action.happening.moment, action.id)]
      case "spawn-at": {
        const { id, moment, spawns } = action.open
        const { mode, agent } = action.spawn
        if (action.refused === undefined)
          return [this.#child(id, agent, mode === "background" ? "background" : "wait", action.spawn)]
        const block = mode === "before" ? { block: { reason: action.refused, hook: "h" } } : {}
        return [{ type: "moment-end", moment, id, ...block, spawns: spawns.slice(1) }]
      }
      case "call-model": {
        const { turn, attempt } = action
        const calls = action.closing ? [] : this.#calls()
        const usage = { inputTokens: 1, outputTokens: 1 }
        return [
          { type: "model-start", turn, attempt, model: "m", reserved: usage },
          { type: "model-end", turn, attempt, text: `t${turn}`, calls, usage, stop: "end" },
        ]
      }
      case "start-call":
        return action.call.kind === "delegation"
          ? [this.#child(action.call.id, "b", this.#next(2) === 0 ? "wait" : "background")]
          : [
              { type: "tool-start", call: action.call.id },
              { type: "tool-end", call: action.call.id, result: { status: "ok", text: "ok" } },
            ]
      case "end-call":
        return [{ type: "tool-end", call: action.call.id, result: action.result }]
      case "add-message":
        return [{ type: "message-add", key: action.key, from: "runtime", text: action.text }]
      case "stop":
        return [{ ...action, type: "run-stop" }]
      case "end":
        return [{ ...action, type: "run-end" }]
      default:
        throw new Error(`not expected here: ${action.type}`)
    }
  }

  #verdict(moment: MomentEnd["moment"], id: string): Fact {
    const isGate = moment === "run_start" || moment === "before_model" || moment === "stop"
    const isRare = this.#next(moment === "stop" ? 2 : 9) === 0
    const spawns =
      moment === "run_end" ? [] : Array.from({ length: this.#next(3) }, () => this.#spawn(moment))
    return {
      type: "moment-end",
      moment,
      id,
      ...(isGate &&
        isRare && { block: { reason: "no", hook: "h", ...(this.#next(4) === 0 && { final: true }) } }),
      ...(this.#next(2) === 0 && { context: ["told"] }),
      ...(spawns.length > 0 && this.#next(3) === 0 && { spawns }),
    }
  }

  #spawn(moment: MomentEnd["moment"]): HookSpawn {
    const mode = moment === "stop" || this.#next(2) === 0 ? "background" : "before"
    return { hook: "h", agent: this.#next(4) === 0 ? "no" : "b", task: "x", mode }
  }

  #calls(): readonly AskedCall[] {
    const submits = this.state.start!.tools.includes("submit_result")
    const kinds = ["function", "delegation", ...(submits ? ["submit"] : [])] as const
    return Array.from({ length: this.#next(3) }, (_, index) => {
      const id = `c${this.state.callCount + 1 + index}`
      const kind = kinds[this.#next(kinds.length)] as AskedCall["kind"]
      return {
        id,
        wire: id,
        tool: kind === "delegation" ? "Agent" : "read",
        arguments: "{}",
        kind,
        effect: "read",
      }
    })
  }

  #child(call: string, agent: string, mode: "wait" | "background", hook?: HookSpawn): Fact {
    const child = `r.${this.state.lastChild + 1}`
    return { type: "child-start", call, child, agent, mode, ...(hook && { hook }) }
  }

  #outcome(): RunOutcome {
    return this.#next(3) === 0 ? { type: "failed", reason: "x" } : { type: "completed" }
  }

  #record(fact: Fact): void {
    this.state = applyRunEvent(this.state, {
      run: "r",
      seq: this.#seq++,
      at: this.state.lastAt + 1,
      v: 2,
      ...fact,
    })
  }
}

test("whatever hooks do at moments, a run ends, asks at none of them twice and takes no turn too many", () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), fc.boolean(), (stream, submits) => {
      const next = (below: number) => (below === 0 ? 0 : stream.next().value % below)
      const chance = new Chance(next, submits)
      let steps = 0
      while (!chance.state.end && steps++ < 2_000) expect(chance.step()).toBeUndefined()
      const { state, asked } = chance
      expect(state.end).toBeDefined()
      if (state.end?.outcome.type === "completed") expect(asked).toContain(`stop:${state.turn}`)
      expect(state.turn).toBeLessThanOrEqual(9)
      expect(state.moments!.rounds).toBeLessThanOrEqual(3)
      expect(asked.filter((id, index) => asked.indexOf(id) !== index)).toEqual([])
      expect(asked.filter((id) => id === "run_end")).toEqual(["run_end"])
      expect(checkHistory(state.messages)).toEqual([])
    }),
    { numRuns: rounds(500) },
  )
})
