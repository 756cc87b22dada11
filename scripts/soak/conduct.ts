import fs from "node:fs"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { CadreError } from "../../src/ground/errors.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { Member } from "./crew.ts"
import type { Order, Report } from "./worker.ts"
import { type Kind, kinds, type Places } from "./world.ts"

export interface Plan {
  readonly minutes: number
  /** At most so many runs in all, and at a time. */
  readonly runs: number
  readonly atOnce: number
  readonly workers: number
  readonly random: () => number
}

/** One run, as the process that started it knows it. */
export interface Item {
  readonly number: number
  readonly kind: Kind
  run?: string
  deaths: number
  isEnded: boolean
}

export interface Memory {
  readonly at: number
  readonly rss: number
  readonly heap: number
  readonly descriptors: number
}

export interface Conducted {
  readonly items: readonly Item[]
  readonly kills: number
  readonly approvals: number
  readonly cancels: number
  /** Of the one worker that was never killed. */
  readonly memory: readonly Memory[]
  readonly faults: readonly string[]
}

/** Starts runs until time or number is up, kills workers and has others go on, until every run has ended. */
export async function conduct(
  worker: string,
  places: Places,
  runtime: Runtime,
  plan: Plan,
): Promise<Conducted> {
  const { random } = plan
  const begun = performance.now()
  const until = begun + plan.minutes * 60_000
  const items: Item[] = []
  const memory: Memory[] = []
  const faults: string[] = []
  const counts = { kills: 0, approvals: 0, cancels: 0 }
  const open = () => new Member(worker, places, onReport)
  const members = Array.from({ length: plan.workers }, open)
  const survivor = members[0]!
  let ended = 0

  /** A run that died three times in a row is not to die again before it got somewhere: the runtime gives it up. */
  function assign(item: Item): void {
    const member = item.deaths >= 3 ? survivor : members[Math.floor(random() * members.length)]!
    const order: Order = { number: item.number, kind: item.kind, ...(item.run && { run: item.run }) }
    member.give(order)
  }

  function start(kind: Kind): Item {
    const item = { number: items.length, kind, deaths: 0, isEnded: false }
    items.push(item)
    fs.mkdirSync(path.join(places.work, String(item.number)))
    assign(item)
    return item
  }

  function onReport(report: Report, member: Member): void {
    if (report.type === "memory") {
      const { rss, heap, descriptors } = report
      if (member === survivor) memory.push({ at: performance.now() - begun, rss, heap, descriptors })
      return
    }
    const item = items[report.number]!
    if (report.type === "started") {
      item.run = report.run
      if (item.kind === "slow") void cancel(item)
    } else if (report.type === "refused") void refused(item, report)
    else if (report.status === "ended") finish(item)
    else if (report.status === "resting") void answer(item, report.approvals)
    else assign(item)
  }

  function finish(item: Item): void {
    item.isEnded = true
    ended++
  }

  async function answer(item: Item, approvals: readonly { run: string; call: string }[]): Promise<void> {
    await setTimeout(random() * 400)
    for (const { run, call } of approvals) {
      await runtime.approve(run, call, random() < 0.8 ? "allow" : "deny").catch((error) => fault(item, error))
      counts.approvals++
    }
    assign(item)
  }

  async function cancel(item: Item): Promise<void> {
    const ledger = path.join(places.work, String(item.number), "ledger")
    while (!item.isEnded && !fs.existsSync(ledger)) await setTimeout(50)
    await setTimeout(random() * 1_000)
    if (item.isEnded) return
    counts.cancels++
    await runtime.cancel(item.run!, "the soak says so").catch((error) => fault(item, error))
  }

  async function refused(item: Item, { code, message }: { code: string; message: string }): Promise<void> {
    if (code === "RUN_UNKNOWN" && item.run !== undefined) delete item.run
    else if (code !== "RUN_OWNED") return fail(item, `${code}: ${message}`)
    await setTimeout(200)
    assign(item)
  }

  function fault(item: Item, error: unknown): void {
    const code = error instanceof CadreError ? error.code : "UNEXPECTED"
    faults.push(`run ${item.number} (${item.kind}, ${item.run}): ${code} ${(error as Error).message}`)
  }

  function fail(item: Item, message: string): void {
    faults.push(`run ${item.number} (${item.kind}, ${item.run}) was refused: ${message}`)
    finish(item)
  }

  async function killNow(): Promise<void> {
    const index = 1 + Math.floor(random() * (members.length - 1))
    const victim = members[index]!
    members[index] = open()
    counts.kills++
    for (const { number } of await victim.kill()) {
      const item = items[number]!
      item.deaths++
      if (!item.isEnded) assign(item)
    }
  }

  let nextKill = performance.now() + 1_000
  const isOver = () => performance.now() > until || items.length >= plan.runs
  const patience = () => performance.now() > until + 180_000
  while (!(isOver() && ended === items.length) && !patience()) {
    while (!isOver() && items.length - ended < plan.atOnce) {
      start(kinds[Math.floor(random() * kinds.length)]!)
    }
    if (performance.now() > nextKill && performance.now() < until) {
      await killNow()
      nextKill = performance.now() + 300 + random() * 3_000
    }
    await setTimeout(20)
  }
  for (const item of items)
    if (!item.isEnded) faults.push(`run ${item.number} (${item.kind}, ${item.run}) did not end`)
  // Time for what is kept open a little longer, and for a last look at the memory.
  await setTimeout(2_500)
  const ends = await Promise.all(members.map((member) => member.dismiss()))
  // What killed processes left is swept up by the next one.
  members.splice(0, members.length, open())
  const last = start("editor")
  while (!last.isEnded && !patience()) await setTimeout(20)
  ends.push(await members[0]!.dismiss())
  faults.push(...ends.filter((end) => end !== undefined))
  return { items, ...counts, memory, faults }
}
