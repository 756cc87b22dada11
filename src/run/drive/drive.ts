import { messageOf } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import type { CheckedInput } from "../begin/inspect.ts"
import type { Loaded } from "../begin/load.ts"
import type { Action } from "../decide/action.ts"
import { asksModel, decide, nextClock } from "../decide/decide.ts"
import { Recorder, type RecordListener } from "../decide/record.ts"
import { check } from "../effects/check.ts"
import type { Drive } from "../effects/drive-view.ts"
import { fallBack } from "../effects/fall-back.ts"
import { endHooked, judgeHooks } from "../effects/hook-call.ts"
import { askModel } from "../effects/model-call.ts"
import { askMoment } from "../effects/moment-call.ts"
import { plan } from "../effects/plan.ts"
import type { Slot } from "../effects/slots.ts"
import { spawnAt } from "../effects/spawn.ts"
import { startCall } from "../effects/start-call.ts"
import type { Tree } from "../effects/tree-view.ts"
import { useResource } from "../effects/use-resource.ts"
import { now } from "../log/clock.ts"
import type { Fact, RunEvent } from "../log/event.ts"
import type { Held } from "../log/held.ts"
import { fallbackKey } from "../log/id.ts"
import { type Abortable, AtWork } from "../ports/at-work.ts"
import {
  type Lender,
  type RunningOptions,
  type Settled,
  type Signalled,
  startRunning,
} from "../ports/effect.ts"
import type { Environment } from "../ports/environment.ts"
import type { Gate } from "../ports/gate.ts"
import type { Definition } from "../ports/pinned.ts"
import type { RunState } from "../state/state.ts"
import { opening } from "../words/prompt.ts"
import { Alarm, type Sleeper } from "./alarm.ts"
import { answerLetter, type Mail } from "./letter.ts"
import { type Owner, owned } from "./strays.ts"

/**
 * The one loop: take letters, decide, perform, record, until the run ends or rests.
 * Effects are started and not awaited; each of them records what it came to and wakes the loop.
 */
export class DriveLoop implements Drive, Slot, Lender, RecordListener, Sleeper, Owner {
  readonly environment: Environment
  readonly tree: Tree
  readonly definition: Definition
  readonly recorder: Recorder
  readonly system: string
  wires: Set<string> | undefined
  blobs: Held | undefined
  /** Whether this run has one of its tree's slots. */
  held = false
  heard = 0
  readonly #mail: Mail[]
  #keys: Set<string> | undefined
  readonly #atWork = new AtWork(() => this.wake())
  #controller: AbortController | undefined
  #cancelled: Set<string> | undefined
  #checked: Map<string, CheckedInput> | undefined
  #rested: boolean
  readonly #alarm = new Alarm(this)
  #lastChild = 0
  /** It could not ask its model now: something else must happen first. */
  #short = false
  calledBy: Gate | undefined
  #leaveGate: (() => void) | undefined
  #failure: unknown
  #over = false
  /** Whether the loop can go on when work settles that records nothing at its end. */
  #waiting = false
  #woken = false
  #wakeUp: (() => void) | undefined
  /** Made once a run: it sleeps several times a turn. */
  readonly #fallAsleep = (resolve: () => void): void => {
    this.#wakeUp = resolve
  }

  constructor(environment: Environment, tree: Tree, loaded: Loaded, mail: Mail[]) {
    this.environment = environment
    this.tree = tree
    this.definition = loaded.definition
    this.system = opening(this.definition.agent, loaded.state.start!.task, this.definition.context).system
    this.wires = loaded.wires
    this.blobs = loaded.blobs
    this.#keys = loaded.keys
    this.#mail = mail
    // What its parent last heard of it is not known here: it is told again, and knows what it has heard.
    this.#rested = loaded.seq > 1
    this.recorder = new Recorder({
      state: loaded.state,
      seq: loaded.seq,
      store: environment.store,
      claim: tree.claim,
      listener: this,
      models: environment.models,
    })
  }

  get state(): RunState {
    return this.recorder.state
  }

  get stopped(): boolean {
    return this.ended || this.state.stop !== undefined
  }

  get ended(): boolean {
    return this.#over || this.#failure !== undefined || this.state.end !== undefined
  }

  /** Drives until the run ends or rests. Settles only after every effect in flight has settled or been abandoned. */
  async loop(): Promise<"ended" | "resting"> {
    try {
      for (;;) {
        if (this.#mail.length > 0) await this.#takeMail()
        while (this.recorder.flushing) await this.recorder.flushing
        if (this.#mail.length > 0) continue
        const next = this.#step()
        if (next === "ended" || next === "resting") return next
        await this.#sleep(next)
      }
    } finally {
      this.#over = true
      this.#atWork.abortAll("the run is no longer driven")
      while (this.#atWork.size > 0) {
        this.#woken = false
        await this.#sleep()
      }
      this.#alarm.clear()
      this.#leaveGate?.()
      this.tree.reservations.leave(this.state.run)
      this.tree.slots.release(this)
    }
  }

  recorded(event: RunEvent): void {
    this.environment.emit(event)
    // What has only begun leaves nothing to decide; but the clock that runs for it may be the next to strike.
    if (event.type === "model-start" || event.type === "tool-start")
      this.#alarm.set(nextClock(this.state, this.heard, now()))
    else this.wake()
  }

  poisoned(): void {
    this.#atWork.abortAll("the log cannot be written")
  }

  granted(): void {
    this.wake()
  }

  rang(sleep: "awake" | "slept"): void {
    if (sleep === "slept") this.heard = now()
    this.wake()
  }

  /** Letters that came after the last look. */
  takeRest(): Mail[] {
    return this.#mail.splice(0)
  }

  post(mail: Mail): void {
    this.#mail.push(mail)
    this.wake()
  }

  /** Stops driving without recording anything: the log is no longer ours to write. */
  fail(error: unknown): void {
    this.#failure ??= error
    this.wake()
  }

  lendController(): AbortController {
    if (!this.#controller || this.#controller.signal.aborted) this.#controller = new AbortController()
    return this.#controller
  }

  wake(): void {
    this.#woken = true
    this.#wakeUp?.()
    this.#wakeUp = undefined
  }

  keepInput(call: string, input: CheckedInput): void {
    this.#checked = (this.#checked ?? new Map()).set(call, input)
  }

  takeInput(call: string): CheckedInput | undefined {
    const input = this.#checked?.get(call)
    this.#checked?.delete(call)
    return input
  }

  numberChild(): number {
    this.#lastChild = Math.max(this.#lastChild, this.state.lastChild) + 1
    return this.#lastChild
  }

  /** Starts work under a key, once at a time. What it throws stops the drive. */
  launch(key: string, work: () => Promise<void>): void {
    if (this.#atWork.has(key)) {
      this.#waiting = true
      return
    }
    this.#atWork.set(key, undefined)
    const leave = () => {
      this.#atWork.delete(key)
      // Most work ends with a record, which has woken the loop already.
      if (this.#waiting || this.#over) this.wake()
    }
    work().then(leave, (error) => {
      this.fail(error)
      leave()
    })
  }

  settle<Value>(key: string, work: Abortable & { readonly done: Promise<Value> }): Promise<Value> {
    this.#atWork.set(key, work)
    return work.done
  }

  run<Value>(
    key: string,
    work: (running: Signalled) => Promise<Value>,
    options?: RunningOptions,
  ): Promise<Settled<Value>> {
    return this.settle(key, owned(this, startRunning<Value>, work, options))
  }

  stray(error: unknown): void {
    const reason = isOutOfFiles(error)
      ? outOfFiles
      : `something that nobody waited for failed: ${messageOf(error)}`
    if (!this.stopped) this.#note({ type: "run-stop", outcome: { type: "failed", reason } })
  }

  /** Decides and performs; then how long to sleep. Apart from the loop: a thousand of them wait, and each holds its frame. */
  #step(): "ended" | "resting" | number | undefined {
    this.#woken = false
    this.#waiting = false
    const problem = this.recorder.poison ?? this.#failure
    if (problem !== undefined) throw problem
    const time = now()
    const actions = decide(this.state, { now: time, heard: this.heard })
    if (this.#rested && actions[0]!.type !== "rest") this.#tellParent("child-wake")
    // Nobody must stand in line behind a run that does not ask its model now.
    if (this.#short && !actions.some(asksModel) && this.tree.reservations.leave(this.state.run))
      this.#short = false
    let until = this.state.stop ? undefined : nextClock(this.state, this.heard, time)
    for (const action of actions) {
      if (action.type === "done") return "ended"
      if (action.type === "rest") this.#tellParent("child-rest")
      if (action.type === "rest") return "resting"
      if (action.type === "wait") {
        until = action.until
        // A run that only waits gives its slot to others.
        if (this.#atWork.size === 0) this.tree.slots.release(this)
        else this.#waiting = true
      } else this.#perform(action)
    }
    return until
  }

  #perform(action: Exclude<Action, { type: "done" | "wait" | "rest" }>): void {
    switch (action.type) {
      case "open-resource":
      case "close-resource":
        return this.launch("model", () => useResource(this, action))
      case "call-model":
      case "compact":
        if (this.#short) return this.tree.slots.release(this)
        if (this.tree.slots.ask(this)) this.launch("model", () => askModel(this, action))
        return
      case "plan":
        return this.launch("plan", () => plan(this))
      case "check":
        if (this.tree.slots.ask(this)) this.launch("check", () => check(this, action))
        return
      case "judge-hooks":
        if (this.tree.slots.ask(this)) this.launch(action.call.id, () => judgeHooks(this, action.call))
        return
      case "ask-hooks":
        if (action.id === "run_end") this.#atWork.abortAll("the run is stopping", action.id)
        if (this.tree.slots.ask(this)) this.launch(action.id, () => askMoment(this, action))
        return
      case "spawn-at":
        return this.launch(action.open.id, () => spawnAt(this, action))
      case "start-call": {
        const { call } = action
        if (call.kind === "function" && !this.tree.slots.ask(this)) return
        return this.launch(call.id, () => startCall(this, call))
      }
      case "ask-approval": {
        const { approvalTimeout } = this.state.start!.limits
        const { id, expires = Number.POSITIVE_INFINITY } = action.call
        return this.#note({
          type: "approval-start",
          call: id,
          ...(approvalTimeout !== undefined && { expires: Math.min(expires, now() + approvalTimeout) }),
        })
      }
      case "end-call":
        // What is at work on a call ends it, or lets go of it when told to.
        if (this.#atWork.has(action.call.id)) {
          this.#waiting = true
          return this.#atWork.abort(action.call.id, "the call is to end")
        }
        return this.#note({ type: "tool-end", call: action.call.id, result: action.result })
      case "show-result":
        if (this.tree.slots.ask(this))
          this.launch(action.call.id, () => endHooked(this, action.call, action.result))
        return
      case "add-message":
        return this.#note({ type: "message-add", key: action.key, from: "runtime", text: action.text })
      case "stop":
        return this.#note({ ...action, type: "run-stop" })
      case "abort":
        return this.#atWork.abortAll("the run is stopping")
      case "cancel-children":
        for (const child of this.state.children) this.#cancelChild(child.run, action.reason)
        return
      case "fall-back":
        return this.launch(fallbackKey(action.child), () => fallBack(this, action.child))
      case "end":
        this.launch("end", () => this.recorder.record({ ...action, type: "run-end" }, { sync: true }))
    }
  }

  /** Records without waiting; the loop drains the queue before it decides again. */
  #note(fact: Fact): void {
    this.recorder.record(fact).catch((error) => this.fail(error))
  }

  #cancelChild(child: string, reason: string): void {
    if (this.#cancelled?.has(child)) return
    this.#cancelled = (this.#cancelled ?? new Set()).add(child)
    this.tree.post(child, `${child}:cancel`, { type: "cancel", reason: `its parent stopped: ${reason}` })
  }

  #goOn(): void {
    this.#short = false
    this.wake()
  }

  waitForSettlement(run: string): void {
    this.#short = true
    this.wake()
    this.tree.reservations.wait(this.state.run, run, () => this.#goOn())
  }

  waitForGate(gate: Gate): void {
    this.tree.reservations.leave(this.state.run)
    this.#short = true
    this.wake()
    this.#leaveGate = gate.wait(() => {
      this.calledBy = gate
      this.#goOn()
    })
  }

  /** Until something is recorded, an effect ends, a letter comes or the clock says so. */
  #sleep(until?: number): Promise<void> | undefined {
    if (this.#woken) return undefined
    this.#alarm.set(until)
    return new Promise(this.#fallAsleep)
  }

  /** A parent whose children all rest, rests; one whose child wakes, has its clock running again. */
  #tellParent(type: "child-rest" | "child-wake"): void {
    this.#rested = type === "child-rest"
    const { caller } = this.state.start!
    if (caller)
      this.tree.post(caller.run, `${this.state.run}:${type}:${this.recorder.seq}`, {
        type,
        child: this.state.run,
      })
  }

  async #takeMail(): Promise<void> {
    while (this.#mail.length > 0) {
      const mail = this.#mail[0]!
      const { key } = mail.letter
      while (this.recorder.flushing) await this.recorder.flushing
      const answer = this.#keys?.has(key) ? {} : answerLetter(this.state, mail.letter)
      if (answer.fact) await this.recorder.record(answer.fact)
      // One that was refused may be right when it is sent again.
      if (answer.fact || !answer.problem) this.#keys = (this.#keys ?? new Set()).add(key)
      this.#mail.shift()
      mail.done(answer.problem)
    }
  }
}
