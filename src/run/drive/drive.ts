import type { LoadedRun } from "../begin/load.ts"
import type { Action } from "../decide/action.ts"
import { asksModel, decide, findNextClock } from "../decide/decide.ts"
import { Recorder, type RecordListener } from "../decide/record.ts"
import { isResting } from "../decide/resting.ts"
import { createApprovalStart } from "../effects/approval-start.ts"
import { check } from "../effects/check.ts"
import { findDecisionCause } from "../effects/decided-by.ts"
import type { Drive } from "../effects/drive-view.ts"
import { startFallback } from "../effects/fall-back.ts"
import { endCallWithHooks, judgeWithHooks } from "../effects/hook-call.ts"
import { KeptInputs } from "../effects/kept-inputs.ts"
import { askModel } from "../effects/model-call.ts"
import { askMoment } from "../effects/moment-call.ts"
import { makePlan } from "../effects/plan.ts"
import type { Slot } from "../effects/slots.ts"
import { spawnAt } from "../effects/spawn.ts"
import { startCall } from "../effects/start-call.ts"
import type { Tree } from "../effects/tree-view.ts"
import { useResource } from "../effects/use-resource.ts"
import { readClock } from "../log/clock.ts"
import type { CallResult, Fact, RunEvent } from "../log/event.ts"
import type { DecisionCause } from "../log/event-rights.ts"
import type { HistoryBlobs } from "../log/history-blobs.ts"
import { writeFallbackKey } from "../log/id.ts"
import { type Abortable, WorkInFlight } from "../ports/at-work.ts"
import {
  type ControllerLender,
  type RunningOptions,
  type SignalHolder,
  startWork,
  type WorkResult,
} from "../ports/effect.ts"
import type { Environment } from "../ports/environment.ts"
import type { RequestGate } from "../ports/gate.ts"
import type { Definition } from "../ports/pinned.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { buildOpening } from "../words/prompt.ts"
import { Alarm, type Sleeper } from "./alarm.ts"
import { answerLetter, type Mail } from "./letter.ts"
import { describeStray, runOwned, type StrayOwner } from "./strays.ts"

/**
 * The one loop of a run: take letters, decide, perform, record, until the run ends or rests.
 * Effects are started and not awaited. Each of them records its result and wakes the loop.
 */
export class DriveLoop implements Drive, Slot, ControllerLender, RecordListener, Sleeper, StrayOwner {
  readonly environment: Environment
  readonly tree: Tree
  readonly definition: Definition
  readonly recorder: Recorder
  readonly system: string
  readonly inputs = new KeptInputs()
  wires: Set<string> | undefined
  blobs: HistoryBlobs | undefined
  /** True while this run has one of its tree's slots. */
  isHeld = false
  lastActivity = 0
  readonly #mail: Mail[]
  #keys: Set<string> | undefined
  readonly #atWork = new WorkInFlight(() => this.wake())
  #controller: AbortController | undefined
  #cancelled: Set<string> | undefined
  #rested: boolean
  readonly #alarm = new Alarm(this)
  #lastChild = 0
  /** True while the run may not call its model: it waits for an allowance or for a gate. */
  #short = false
  calledBy: RequestGate | undefined
  #leaveGate: (() => void) | undefined
  #failure: unknown
  /** The reason why the run is let go of. */
  #release: string | undefined
  #over = false
  /** True if the loop waits for work to end, even work that records nothing at its end. */
  #waiting = false
  #woken = false
  #wakeUp: (() => void) | undefined
  /** Made once for each run, because the loop sleeps several times in a turn. */
  readonly #fallAsleep = (resolve: () => void): void => {
    this.#wakeUp = resolve
  }

  constructor(environment: Environment, tree: Tree, loaded: LoadedRun, mail: Mail[]) {
    this.environment = environment
    this.tree = tree
    this.definition = loaded.definition
    this.system = buildOpening(
      this.definition.agent,
      loaded.state.start!.task,
      this.definition.context,
    ).system
    this.wires = loaded.wires
    this.blobs = loaded.blobs
    this.#keys = loaded.keys
    this.#mail = mail
    // The last report to the parent is unknown here, so it is sent again. The parent ignores repeats.
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

  get isStopped(): boolean {
    return this.isEnded || this.state.stop !== undefined
  }

  get isEnded(): boolean {
    return this.#over || this.#failure !== undefined || this.isReleased || this.state.end !== undefined
  }

  get isReleased(): boolean {
    return this.#release !== undefined
  }

  /**
   * Drives until the run ends, rests or is let go of. Resolves only after every effect in flight has ended or was
   * abandoned.
   */
  async loop(): Promise<"ended" | "resting" | "released"> {
    try {
      for (;;) {
        if (this.#mail.length > 0) await this.#takeMail()
        while (this.recorder.flushing) await this.recorder.flushing
        if (this.#mail.length > 0) continue
        const next = this.#step()
        if (next === "released" && !isResting(this.state))
          await this.recorder.record({ type: "run-release", reason: this.#release! }, { sync: true })
        if (typeof next === "string") return next
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

  onRecorded(event: RunEvent): void {
    this.environment.emit(event)
    // After the start of an effect there is nothing to decide, but its clock may be the next one to ring.
    if (event.type === "model-start" || event.type === "tool-start")
      this.#alarm.set(findNextClock(this.state, this.lastActivity, readClock()))
    else this.wake()
  }

  onPoisoned(): void {
    this.#atWork.abortAll("the log cannot be written")
  }

  onGranted(): void {
    this.wake()
  }

  ring(sleep: "awake" | "slept"): void {
    if (sleep === "slept") this.lastActivity = readClock()
    this.wake()
  }

  /** Takes the letters that came after the last look at the queue. */
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

  /** Stops what is in flight, starts nothing new, and leaves the run open for its next owner. */
  letGo(reason: string): void {
    this.#release ??= reason
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

  numberChild(): number {
    this.#lastChild = Math.max(this.#lastChild, this.state.lastChild) + 1
    return this.#lastChild
  }

  /** Starts work under a key, once at a time. An error of the work stops the drive. */
  launch(key: string, work: () => Promise<void>): void {
    if (this.#atWork.has(key)) {
      this.#waiting = true
      return
    }
    this.#atWork.set(key, undefined)
    const leave = () => {
      this.#atWork.delete(key)
      // Most work ends with a recorded event, which has already woken the loop.
      if (this.#waiting || this.isReleased || this.#over) this.wake()
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
    work: (running: SignalHolder) => Promise<Value>,
    options?: RunningOptions,
  ): Promise<WorkResult<Value>> {
    return this.settle(key, runOwned(this, startWork<Value>, work, options))
  }

  stray(error: unknown): void {
    if (this.isStopped) return
    this.#note({ type: "run-stop", outcome: { type: "failed", reason: describeStray(error) } })
  }

  /** Decides, performs, and returns the time to sleep until. Apart from `loop`, whose frame a thousand waiting runs keep. */
  #step(): "ended" | "resting" | "released" | number | undefined {
    this.#woken = false
    this.#waiting = false
    const problem = this.recorder.poison ?? this.#failure
    if (problem !== undefined) throw problem
    if (this.isReleased && !this.state.end) return this.#leave()
    const time = readClock()
    const actions = decide(this.state, { now: time, lastSign: this.lastActivity })
    if (this.#rested && actions[0]!.type !== "rest") this.#tellParent("child-wake")
    // A run that does not call its model now must not hold up the runs behind it.
    if (this.#short && !actions.some(asksModel) && this.tree.reservations.leave(this.state.run))
      this.#short = false
    let until = this.state.stop ? undefined : findNextClock(this.state, this.lastActivity, time)
    for (const action of actions) {
      if (action.type === "done") return "ended"
      if (action.type === "rest") this.#tellParent("child-rest")
      if (action.type === "rest") return "resting"
      if (action.type === "wait") {
        until = action.until
        this.#giveSlot()
      } else this.#perform(action)
    }
    return until
  }

  /** A run that only waits gives its slot to other runs, unless some of its work still needs it. */
  #giveSlot(): void {
    if (this.#atWork.size === 0) this.tree.slots.release(this)
    else this.#waiting = true
  }

  /** Undefined: work in flight has yet to settle. */
  #leave(): "released" | undefined {
    this.#atWork.abortAll(`the run was interrupted (${this.#release})`)
    return this.#atWork.size === 0 ? "released" : undefined
  }

  #perform(action: Exclude<Action, { type: "done" | "wait" | "rest" }>): void {
    switch (action.type) {
      case "open-resource":
      case "close-resource":
        return this.launch("model", () => useResource(this, action))
      case "call-model":
      case "compact":
      case "sample":
        if (this.#short) return this.#giveSlot()
        if (this.tree.slots.ask(this)) this.launch("model", () => askModel(this, action))
        return
      case "plan":
        return this.launch("plan", () => makePlan(this))
      case "check":
        if (this.tree.slots.ask(this)) this.launch("check", () => check(this, action))
        return
      case "judge-hooks":
        if (this.tree.slots.ask(this)) this.launch(action.call.id, () => judgeWithHooks(this, action.call))
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
      case "ask-approval":
        return this.#noteDecision(action.call, (by) => createApprovalStart(this.state, action.call, by))
      case "end-call":
        // Work on this call ends the call itself, or gives it up when aborted.
        if (this.#atWork.has(action.call.id)) {
          this.#waiting = true
          return this.#atWork.abort(action.call.id, "the call is to end")
        }
        return this.#noteEnd(action.call, action.result)
      case "show-result":
        if (this.tree.slots.ask(this))
          this.launch(action.call.id, () => endCallWithHooks(this, action.call, action.result))
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
        return this.launch(writeFallbackKey(action.child), () => startFallback(this, action.child))
      case "end":
        this.launch("end", () => this.recorder.record({ ...action, type: "run-end" }, { sync: true }))
    }
  }

  /** Records without waiting. The loop waits for the queue before it decides again. */
  #note(fact: Fact): void {
    this.recorder.record(fact).catch((error) => this.fail(error))
  }

  #noteEnd(call: OpenCall, result: CallResult): void {
    const end = { type: "tool-end", call: call.id, result } as const
    if (result.status === "denied") this.#noteDecision(call, (by) => ({ ...end, ...by }))
    else this.#note(end)
  }

  /** Records a decision about a call with its cause. The place of a rule may have to be read from a file first. */
  #noteDecision(call: OpenCall, factOf: (by: { readonly by?: DecisionCause }) => Fact): void {
    const by = findDecisionCause(this, call)
    if (!(by instanceof Promise)) return this.#note(factOf(by ? { by } : {}))
    this.launch(call.id, async () => this.recorder.record(factOf({ by: await by })))
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

  waitForGate(gate: RequestGate): void {
    this.tree.reservations.leave(this.state.run)
    this.#short = true
    this.wake()
    this.#leaveGate = gate.wait(() => {
      this.calledBy = gate
      this.#goOn()
    })
  }

  /** Sleeps until an event is recorded, an effect ends, a letter comes or the clock rings. */
  #sleep(until?: number): Promise<void> | undefined {
    if (this.#woken) return undefined
    this.#alarm.set(until)
    return new Promise(this.#fallAsleep)
  }

  /** A parent rests while all its children rest. When one of them wakes, its clock runs again. */
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
      // A refused letter may be valid when it is sent again.
      if (answer.fact || !answer.problem) this.#keys = (this.#keys ?? new Set()).add(key)
      this.#mail.shift()
      mail.onDone(answer.problem)
    }
  }
}
