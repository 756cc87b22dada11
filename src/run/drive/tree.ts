import { CadreError } from "../../ground/errors.ts"
import { stricterSince } from "../begin/confine.ts"
import { differences } from "../begin/definition.ts"
import { type Loaded, load, startOf } from "../begin/load.ts"
import { isResting } from "../decide/resting.ts"
import { remember } from "../decide/reuse.ts"
import { adoptChildren, endedUnawares, endTold, reportLost } from "../effects/lost-children.ts"
import { Reservations } from "../effects/reservations.ts"
import { Slots } from "../effects/slots.ts"
import { resumeChildren } from "../effects/spawn.ts"
import type { Tree } from "../effects/tree-view.ts"
import { now } from "../log/clock.ts"
import type { ChildEnd } from "../log/event.ts"
import type { RunResume } from "../log/event-run.ts"
import { rootOf } from "../log/id.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { Claim, Letter } from "../log/store.ts"
import { addUnsettled } from "../log/unsettled.ts"
import type { Beginning, Kept } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { addedMoments, type HookNames, hookedAgent, hookNames } from "../rights/hooks.ts"
import { anchorRules, isAmong } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"
import { DriveLoop } from "./drive.ts"
import { type Mail, readLetter } from "./letter.ts"
import { inclusiveUsage } from "./proof.ts"

/**
 * A tree (or one run, where a claim covers no more) that this process owns: it hands out letters, drives every run
 * that has something to do, and gives the claim up when all of them have ended or rest.
 */
export class OwnedTree implements Tree {
  readonly claim: Claim
  readonly slots: Slots
  readonly kept: Kept = new Map()
  /** How the run that was claimed stood when its last drive ended. */
  state: RunState | undefined
  readonly reservations = new Reservations()
  /** Settles when the claim has been given up; rejects when the log could not be written or read. */
  readonly closed: Promise<void>
  readonly #environment: Environment
  readonly #dispatchElsewhere: (run: string) => void
  readonly #drives = new Map<string, DriveLoop | "loading">()
  readonly #mail = new Map<string, Mail[]>()
  /** Runs whose children were sent off under this claim already. */
  readonly #driven = new Set<string>()
  #ceiling: readonly string[] | undefined
  #letters: AbortController | undefined
  #failure: unknown
  #closing = false
  #resolve!: () => void
  #reject!: (error: unknown) => void

  constructor(
    environment: Environment,
    claim: Claim,
    maxConcurrency: number,
    dispatchElsewhere: (run: string) => void,
  ) {
    this.#environment = environment
    this.claim = claim
    this.slots = new Slots(maxConcurrency)
    this.#dispatchElsewhere = dispatchElsewhere
    this.closed = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Only the first event of a tree tells it. */
  async ceiling({ run, start }: RunState): Promise<Pick<Beginning, "ceiling">> {
    if (start!.delegation !== "own") return {}
    this.#ceiling ??= start!.ceiling
    this.#ceiling ??= (await startOf(this.#environment.store, rootOf(run))).ceiling ?? []
    return { ceiling: this.#ceiling }
  }

  /** Starts receiving; resolves when the letters that waited have been handed out. */
  open(): Promise<void> {
    return this.#receive()
  }

  covers(run: string): boolean {
    return !this.#closing && (this.claim.covers === "tree" || run === this.claim.run)
  }

  dispatch(run: string): void {
    if (!this.covers(run)) return this.#dispatchElsewhere(run)
    const active = this.#drives.get(run)
    if (active instanceof DriveLoop) return active.wake()
    if (active || this.#failure !== undefined) return
    this.#drives.set(run, "loading")
    // One reaction, not two: each would be held for as long as the run lives.
    this.#drive(run).then(
      () => this.#left(run),
      (error) => {
        this.fail(error)
        this.#left(run)
      },
    )
  }

  /** A letter from inside: what it says is in the sender's log already, so it need not be stored. */
  post(run: string, key: string, body: LetterBody): void {
    const letter = { run, key, at: now(), body }
    if (!this.covers(run))
      return void this.#environment.store.send(letter).then(
        () => this.#dispatchElsewhere(run),
        (error) => this.fail(error),
      )
    this.deliver({ letter, done: () => {}, failed: () => {} })
  }

  async send(run: string, key: string, body: LetterBody): Promise<void> {
    await this.#environment.store.send({ run, key, at: now(), body })
    // It comes through the store, too, and is known by its key then.
    if (this.covers(run)) this.post(run, key, body)
  }

  deliver(mail: Mail): void {
    const { run } = mail.letter
    const active = this.#drives.get(run)
    if (active instanceof DriveLoop) return active.post(mail)
    const waiting = this.#mail.get(run)
    if (waiting) waiting.push(mail)
    else this.#mail.set(run, [mail])
    this.dispatch(run)
  }

  async #drive(run: string): Promise<void> {
    const drive = await this.#takeUp(run)
    if (!drive) return
    try {
      if ((await drive.loop()) !== "ended") return
      const { state, definition } = drive
      if (state.start!.cache) await remember(this.#environment.cache, state, definition.agent.cache?.inputs)
      this.#report(state)
    } finally {
      if (run === this.claim.run) this.state = drive.state
    }
  }

  /** A run with its children sent off again; undefined where there is none. */
  async #takeUp(run: string): Promise<DriveLoop | undefined> {
    const environment = this.#environment
    const loaded = await load(environment, run)
    if (!loaded) {
      await reportLost(environment.store, run, (caller, body) => this.post(caller, `${run}:end`, body))
      this.#drop(run)
      return undefined
    }
    const mail = this.#mail.get(run) ?? []
    this.#mail.delete(run)
    const drive = new DriveLoop(environment, this, loaded, mail)
    this.#drives.set(run, drive)
    const { state } = loaded
    const resume = resumption(
      environment,
      loaded,
      // Of a run that was just created nothing has to be found out.
      environment.created.has(run)
        ? { judging: [] }
        : await hookNames(environment, hookedAgent(loaded.definition.agent, loaded.state)),
    )
    const end = await endTold(environment.store, state)
    if (end ?? resume) await drive.recorder.record(end ?? resume!)
    if (!end && resume && state.lost) await adoptChildren(drive)
    if (state.mended) for (const one of await endedUnawares(environment.store, run)) this.dispatch(one)
    if (!this.#driven.has(run)) {
      this.#driven.add(run)
      if (drive.state.end) this.#cancelOrphans(state)
      else if (!state.stop && drive.state.children.length > 0) await resumeChildren(drive)
    }
    return drive
  }

  /** Stops every run without recording anything: none would hear of the others again. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    for (const drive of this.#drives.values()) if (drive instanceof DriveLoop) drive.fail(error)
    if (this.#drives.size === 0) void this.#close()
  }

  /** Tells the parent; it knows what it has heard already. */
  #report(state: RunState): void {
    const { caller } = state.start!
    if (!caller) return
    const { outcome, output, ...rest } = state.end!
    this.post(caller.run, `${state.run}:end`, {
      type: "child-end",
      child: state.run,
      outcome,
      output,
      usage: inclusiveUsage(state),
      ...unsettledNote(state),
      ...("value" in rest && { value: rest.value }),
      ...(state.moments?.objection && { objection: state.moments.objection }),
      ...(state.lacksBelow && {
        lacks: state.lacksBelow,
        ...(state.start!.kind !== "agent" && { untold: true }),
      }),
      ...(state.unrepeatable && { unrepeatable: true }),
      ...(state.resource?.status === "closed" && { isolation: state.resource.report }),
    })
  }

  /** Children that a run ended without: their parent will not ask for them again. */
  #cancelOrphans(state: RunState): void {
    for (const { run } of state.children)
      this.post(run, `${run}:cancel`, { type: "cancel", reason: "its parent has ended" })
  }

  #drop(run: string): void {
    for (const mail of this.#mail.get(run) ?? []) mail.done()
    this.#mail.delete(run)
  }

  #left(run: string): void {
    const drive = this.#drives.get(run)
    warm.drive = drive
    this.#drives.delete(run)
    // In the same step: a letter posted in between would lie with a drive that nobody looks at again.
    const left = drive instanceof DriveLoop ? drive.takeRest() : []
    if (left.length > 0) this.#mail.set(run, [...left, ...(this.#mail.get(run) ?? [])])
    if (this.#failure === undefined && this.#mail.has(run)) this.dispatch(run)
    if (this.#drives.size === 0) void this.#close()
  }

  async #close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    // A reason of our own: the usual one takes a trace of the stack.
    this.#letters?.abort("the claim is given up")
    try {
      const released = await this.#environment.store.release(this.claim)
      if (released === "released" && this.#failure === undefined) return this.#resolve()
      if (this.#failure !== undefined) return this.#giveUp(this.#failure)
      this.#closing = false
      await this.#receive()
      if (this.#drives.size === 0) await this.#close()
    } catch (error) {
      this.#giveUp(this.#failure ?? error)
    }
  }

  /** Whoever waits for a letter to be recorded is told that it will not be. */
  #giveUp(error: unknown): void {
    for (const mail of [...this.#mail.values()].flat()) mail.failed(error)
    this.#mail.clear()
    this.#reject(error)
  }

  /** Starts receiving, and returns when the letters that waited have been handed out. */
  async #receive(): Promise<void> {
    this.#letters = new AbortController()
    const letters = this.#environment.store.receive(this.claim, this.#letters.signal)[Symbol.asyncIterator]()
    const idle = Symbol("idle")
    for (;;) {
      const next = letters.next()
      const result = await Promise.race([
        next,
        new Promise<typeof idle>((resolve) => setImmediate(resolve, idle)),
      ])
      if (result === idle) return void this.#keepReceiving(letters, next, this.#letters.signal)
      if (result.done) return
      this.#handOut(result.value)
    }
  }

  async #keepReceiving(
    letters: Letters,
    first: ReturnType<Letters["next"]>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for (let result = await first; !result.done; result = await letters.next()) this.#handOut(result.value)
      if (!signal.aborted) this.fail(takenOver(this.claim))
    } catch (error) {
      // Without letters the tree can be neither cancelled nor steered.
      this.fail(error)
    }
  }

  #handOut(letter: Letter & { ack(): void }): void {
    const read = readLetter(letter)
    // Nobody could ever act on it, so it must not come again either.
    if (!read) return letter.ack()
    // One that could not be recorded stays unacknowledged, for the next owner.
    this.deliver({ letter: read, done: () => letter.ack(), failed: () => {} })
  }
}

function unsettledNote(state: RunState): Pick<ChildEnd, "unsettled"> {
  const unsettled = addUnsettled(state.unsettled, state.unsettledBelow)
  return unsettled.calls > 0 ? { unsettled } : {}
}

type Letters = AsyncIterator<Letter & { ack(): void }>

const takenOver = ({ run }: Claim) =>
  new CadreError("RUN_OWNED", `Run ${run} was taken over by another owner; this one has stopped.`)

/**
 * What picking a run up again is recorded as; undefined where there is nothing to pick up: the run was created by this
 * process and never driven, or it rests under the same configuration, having lost nothing while its clock stood still.
 */
function resumption(
  environment: Environment,
  { state, definition }: Loaded,
  named: HookNames,
): RunResume | undefined {
  if (environment.created.delete(state.run) || state.end) return undefined
  const found = differences(definition, environment.agents, environment.tools)
  const rights = anchorRules(environment.rights, environment.tools, state.start!.cwd)
  const known = isAmong(state.rights, rights)
  const hooks = named.judging.filter((name) => !state.hooks.includes(name))
  const moments = addedMoments(named.moments, state.moments?.hooks)
  const stricter = stricterSince(environment.tools, state)
  const isSame = known && hooks.length === 0 && !moments && !stricter
  // A worktree may have been lost, whoever rests in it: it is looked for again.
  if (isResting(state) && !state.start!.isolation && isSame && !state.lost?.untold) return undefined
  return {
    type: "run-resume",
    ...(found.length > 0 && { differences: found }),
    ...(!known && { rights }),
    ...(hooks.length > 0 && { hooks }),
    ...(moments && { moments }),
    ...stricter,
  }
}

/**
 * The last run that was driven. While nothing of its shape is alive, a garbage collection throws away the machine
 * code made for it, and the next run begins slowly.
 */
const warm: { drive?: DriveLoop | "loading" | undefined } = {}
