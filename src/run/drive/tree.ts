import { CadreError } from "../../ground/errors.ts"
import { findStricterConfinement } from "../begin/confine.ts"
import { findDefinitionChanges } from "../begin/definition.ts"
import { type LoadedRun, load, readRunStart } from "../begin/load.ts"
import { isResting } from "../decide/resting.ts"
import { keepResult } from "../decide/reuse.ts"
import { adoptChildren, findReportedEnd, findUnrecordedEnds, reportLost } from "../effects/lost-children.ts"
import { Reservations } from "../effects/reservations.ts"
import { Slots } from "../effects/slots.ts"
import { resumeChildren } from "../effects/spawn.ts"
import type { Tree } from "../effects/tree-view.ts"
import { readClock } from "../log/clock.ts"
import type { ChildEnd } from "../log/event.ts"
import type { RunResume, RunStart } from "../log/event-run.ts"
import { getRootRun } from "../log/id.ts"
import type { LetterBody } from "../log/letter-body.ts"
import type { Claim, Letter } from "../log/store.ts"
import { addUnsettled } from "../log/unsettled.ts"
import type { Beginning, DefinitionCache } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { findAddedMoments, type HookNames, readHookNames, withActivatedWorkflow } from "../rights/hooks.ts"
import { anchorRules, hasRuleSet } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"
import { DriveLoop } from "./drive.ts"
import { type Mail, readLetter } from "./letter.ts"
import { sumUsage } from "./proof.ts"

/**
 * A tree that this process owns, or a single run where the claim covers no more. It delivers letters and drives every run
 * that has something to do. It releases the claim when all runs have ended or rest.
 */
export class OwnedTree implements Tree {
  readonly claim: Claim
  readonly slots: Slots
  readonly definitions: DefinitionCache = new Map()
  /** The state of the claimed run when its last drive ended. */
  state: RunState | undefined
  readonly reservations = new Reservations()
  /** Resolves when the claim is released. Rejects when the log could not be written or read. */
  readonly closed: Promise<void>
  readonly #environment: Environment
  readonly #dispatchElsewhere: (run: string) => void
  readonly #drives = new Map<string, DriveLoop | "loading">()
  readonly #mail = new Map<string, Mail[]>()
  /** Runs whose children were already started again under this claim. */
  readonly #driven = new Set<string>()
  #ceiling: readonly string[] | "none" | undefined
  #letters: AbortController | undefined
  #failure: unknown
  #release: string | undefined
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

  /** Only the first event of a tree records the ceiling. */
  async ceiling({ run, start }: RunState): Promise<Pick<Beginning, "ceiling">> {
    this.#ceiling ??= start!.ceiling ?? (await this.#rootCeiling(run, start!))
    return this.#ceiling === "none" ? {} : { ceiling: this.#ceiling }
  }

  /** A narrow tree has one only if its first call named tools. */
  async #rootCeiling(run: string, { delegation }: RunStart): Promise<readonly string[] | "none"> {
    const root = await readRunStart(this.#environment.store, getRootRun(run))
    return root.ceiling ?? (delegation === "own" ? [] : "none")
  }

  /** Starts to receive letters. Resolves when the waiting ones are delivered. */
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
    if (active || this.#failure !== undefined || this.#release !== undefined) return
    this.#drives.set(run, "loading")
    // One `then` in place of two: each would take memory as long as the run lives.
    this.#drive(run).then(
      () => this.#left(run),
      (error) => {
        this.fail(error)
        this.#left(run)
      },
    )
  }

  /** Posts a letter from inside the tree. The sender's log already has its contents, so it is not stored. */
  post(run: string, key: string, body: LetterBody): void {
    const letter = { run, key, at: readClock(), body }
    if (!this.covers(run))
      return void this.#environment.store.send(letter).then(
        () => this.#dispatchElsewhere(run),
        (error) => this.fail(error),
      )
    this.deliver({ letter, onDone: () => {}, onFailed: () => {} })
  }

  async send(run: string, key: string, body: LetterBody): Promise<void> {
    await this.#environment.store.send({ run, key, at: readClock(), body })
    // The letter also comes through the store. Its key then tells that it is a repeat.
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
      if (state.start!.cache) await keepResult(this.#environment.cache, state, definition.agent.cache?.inputs)
      this.#report(state)
    } finally {
      if (run === this.claim.run) this.state = drive.state
    }
  }

  /** Loads a run and starts its children again. Undefined if there is no such run. */
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
    if (this.#release !== undefined) drive.letGo(this.#release)
    const { state } = loaded
    const resume = resumption(
      environment,
      loaded,
      // A run that was just created is not resumed, so its hooks need not be compared.
      environment.created.has(run)
        ? { judging: [] }
        : await readHookNames(environment, withActivatedWorkflow(loaded.definition.agent, loaded.state)),
    )
    const end = await findReportedEnd(environment.store, state)
    if (end ?? resume) await drive.recorder.record(end ?? resume!)
    if (!end && resume && state.lost) await adoptChildren(drive)
    if (state.mended) for (const one of await findUnrecordedEnds(environment.store, run)) this.dispatch(one)
    if (!this.#driven.has(run)) {
      this.#driven.add(run)
      if (drive.state.end) this.#cancelOrphans(state)
      else if (!state.stop && drive.state.children.length > 0) await resumeChildren(drive)
    }
    return drive
  }

  /** Stops every run without recording anything: letters between them would no longer arrive. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    for (const drive of this.#drives.values()) if (drive instanceof DriveLoop) drive.fail(error)
    if (this.#drives.size === 0) void this.#close()
  }

  /** Stops what every run has in flight, and gives the claim up. The runs stay open. */
  letGo(reason: string): void {
    if (this.#release !== undefined) return
    this.#release = reason
    for (const drive of this.#drives.values()) if (drive instanceof DriveLoop) drive.letGo(reason)
    if (this.#drives.size === 0) void this.#close()
  }

  /** Reports to the parent, which ignores a repeated report. */
  #report(state: RunState): void {
    const { caller } = state.start!
    if (!caller) return
    const { outcome, output, ...rest } = state.end!
    this.post(caller.run, `${state.run}:end`, {
      type: "child-end",
      child: state.run,
      outcome,
      output,
      usage: sumUsage(state),
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

  /** Cancels the children that a run ended without: no parent waits for them any more. */
  #cancelOrphans(state: RunState): void {
    for (const { run } of state.children)
      this.post(run, `${run}:cancel`, { type: "cancel", reason: "its parent has ended" })
  }

  #drop(run: string): void {
    for (const mail of this.#mail.get(run) ?? []) mail.onDone()
    this.#mail.delete(run)
  }

  #left(run: string): void {
    const drive = this.#drives.get(run)
    warm.drive = drive
    this.#drives.delete(run)
    // In the same tick as the delete above: a letter posted in between would stay with a drive that is over.
    const unreadMail = drive instanceof DriveLoop ? drive.takeRest() : []
    if (unreadMail.length > 0) this.#mail.set(run, [...unreadMail, ...(this.#mail.get(run) ?? [])])
    if (this.#failure === undefined && this.#mail.has(run)) this.dispatch(run)
    if (this.#drives.size === 0) void this.#close()
  }

  async #close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    // An explicit reason, because the default one is an error with a stack trace, which costs time.
    this.#letters?.abort("the claim is given up")
    try {
      const letters = this.#release === undefined ? "heed" : "leave"
      const released = await this.#environment.store.release(this.claim, letters)
      if (letters === "leave" && this.#failure === undefined) this.#refuseMail(releasedError(this.claim))
      if ((released === "released" || letters === "leave") && this.#failure === undefined)
        return this.#resolve()
      if (this.#failure !== undefined) return this.#giveUp(this.#failure)
      this.#closing = false
      await this.#receive()
      if (this.#drives.size === 0) await this.#close()
    } catch (error) {
      this.#giveUp(this.#failure ?? error)
    }
  }

  /** Tells the senders of waiting letters that these will not be recorded. */
  #giveUp(error: unknown): void {
    this.#refuseMail(error)
    this.#reject(error)
  }

  #refuseMail(error: unknown): void {
    for (const mail of [...this.#mail.values()].flat()) mail.onFailed(error)
    this.#mail.clear()
  }

  /** Starts to receive letters. Returns when the waiting ones are delivered, and goes on receiving. */
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
      if (!signal.aborted) this.fail(takenOverError(this.claim))
    } catch (error) {
      // Without letters the tree can be neither cancelled nor steered.
      this.fail(error)
    }
  }

  #handOut(letter: Letter & { ack(): void }): void {
    const validLetter = readLetter(letter)
    // The letter is invalid, so it must not come again.
    if (!validLetter) return letter.ack()
    // A letter that could not be recorded stays unacknowledged, for the next owner.
    this.deliver({ letter: validLetter, onDone: () => letter.ack(), onFailed: () => {} })
  }
}

function unsettledNote(state: RunState): Pick<ChildEnd, "unsettled"> {
  const unsettled = addUnsettled(state.unsettled, state.unsettledBelow)
  return unsettled.calls > 0 ? { unsettled } : {}
}

type Letters = AsyncIterator<Letter & { ack(): void }>

const releasedError = ({ run }: Claim) =>
  new CadreError(
    "STORE_FAILED",
    `Run ${run} was let go of by this process, so nothing more is recorded. Resume it first.`,
  )

const takenOverError = ({ run }: Claim) =>
  new CadreError(
    "RUN_OWNED",
    `Run ${run} was taken over by another process, so this one has stopped driving it.`,
  )

/**
 * The event that records a resume. Undefined for a run that this process has just created. Also undefined for a run that
 * rests under the same configuration and has lost nothing.
 */
function resumption(
  environment: Environment,
  { state, definition }: LoadedRun,
  currentHooks: HookNames,
): RunResume | undefined {
  if (environment.created.delete(state.run) || state.end) return undefined
  const changes = findDefinitionChanges(definition, environment.agents, environment.tools)
  const rights = anchorRules(environment.rights, environment.tools, state.start!.cwd)
  const hasRights = hasRuleSet(state.rights, rights)
  const hooks = currentHooks.judging.filter((name) => !state.hooks.includes(name))
  const moments = findAddedMoments(currentHooks.moments, state.moments?.hooks)
  const stricter = findStricterConfinement(environment.tools, state)
  const isSame = hasRights && hooks.length === 0 && !moments && !stricter
  // The worktree of a resting run may be gone: a resume looks for it again.
  if (isResting(state) && !state.start!.isolation && isSame && !state.lost?.untold) return undefined
  return {
    type: "run-resume",
    ...(changes.length > 0 && { differences: changes }),
    ...(!hasRights && { rights }),
    ...(hooks.length > 0 && { hooks }),
    ...(moments && { moments }),
    ...stricter,
  }
}

/**
 * The last run that was driven. Without a live object of its shape, a garbage collection throws away the machine code for
 * it, and the next run begins slowly.
 */
const warm: { drive?: DriveLoop | "loading" | undefined } = {}
