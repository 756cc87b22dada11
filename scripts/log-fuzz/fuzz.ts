import fs from "node:fs"
import path from "node:path"
import { findDamage } from "../../src/run/log/damage.ts"
import type { LogPiece, Store } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { type LogName, logNames, mostSent, openTree } from "./tree.ts"

export { type LogName, logNames }

interface Fuzzed {
  readonly bytes: number
  readonly changes: number
  /** How the log was found: nothing to see, all of it restored, some of it lost, or not to be resumed. */
  readonly whole: number
  readonly restored: number
  readonly lossy: number
  readonly refused: number
  /** Repairs that differ, each of which was resumed. */
  readonly resumed: number
  readonly faults: readonly string[]
}

/** Changes one log in every way, or in every n-th. */
export async function fuzzLog(name: LogName, base: string, every: number): Promise<Fuzzed> {
  const { root, log, sent, folder } = await record(name, base)
  const right = fs.readFileSync(log)
  const before = JSON.stringify(await piecesIn(base, root))
  const counts = { whole: 0, restored: 0, lossy: 0, refused: 0 }
  const seen = new Set<string>()
  const faults: string[] = []
  let changes = 0
  for (let at = 0; at < right.length * 9; at += every) {
    const isCut = at >= right.length * 8
    const place = isCut ? at - right.length * 8 : at >> 3
    const changed = isCut ? right.subarray(0, place) : Buffer.from(right)
    if (!isCut) changed[place]! ^= 1 << (at & 7)
    const what = isCut ? `cut to ${place} bytes` : `bit ${at & 7} of byte ${place}`
    changes++
    fs.writeFileSync(log, changed)
    const pieces = await piecesIn(base, root)
    const events = JSON.stringify(pieces.filter(({ type }) => type === "event").map(withoutMark))
    const isSame = events === JSON.stringify(JSON.parse(before).map(withoutMark))
    const isDamaged = pieces.some(({ type }) => type === "damage")
    const isStartLost = !pieces.some(
      (piece) => piece.type === "event" && piece.event.run === root && piece.event.seq === 0,
    )
    const found = isStartLost ? "refused" : isSame ? (isDamaged ? "restored" : "whole") : "lossy"
    counts[found]++
    // A cut behind what the disk had is what a crash leaves; and a digit of a sum may be a capital.
    if (found === "lossy" && !isDamaged && !isCut) faults.push(`${what}: nobody sees it`)
    // What differs in nothing but the place of the damage is mended to the same log.
    const kind = `${found} ${events} ${isDamaged}`
    if (seen.has(kind)) continue
    seen.add(kind)
    faults.push(
      ...(await resumed(name, { base, folder, root, sent }, changed)).map((fault) => `${what}: ${fault}`),
    )
  }
  fs.writeFileSync(log, right)
  return { bytes: right.length, changes, ...counts, resumed: seen.size, faults }
}

const withoutMark = (piece: LogPiece): LogPiece =>
  piece.type === "event" ? { type: "event", event: piece.event } : piece

async function piecesIn(directory: string, root: string): Promise<readonly LogPiece[]> {
  const store = jsonlStore({ directory })
  const pieces: LogPiece[] = []
  for await (const piece of store.examine!(root)) pieces.push(piece)
  return pieces
}

/** Resumes a copy with and without repair, and counts what was sent in all. */
async function resumed(
  name: LogName,
  {
    base,
    folder,
    root,
    sent,
  }: { base: string; folder: string; root: string; sent: Readonly<Record<string, number>> },
  changed: Buffer,
): Promise<readonly string[]> {
  const copy = `${base}-copy`
  fs.rmSync(copy, { recursive: true, force: true })
  fs.cpSync(folder, path.join(copy, root), { recursive: true })
  fs.writeFileSync(newestLog(path.join(copy, root)), changed)
  const again: Record<string, number> = { ...sent }
  const store = jsonlStore({ directory: copy })
  const runtime = openTree(name, store, async (agent) => {
    again[agent] = (again[agent] ?? 0) + 1
  })
  const faults: string[] = []
  const plain = await attempt(runtime.resume(root))
  if (plain !== "ended" && plain !== "LOG_DAMAGED") faults.push(`resume ended as ${plain}`)
  const repaired = await attempt(runtime.resume(root, { repair: true, force: true }))
  if (repaired !== "ended" && repaired !== "LOG_DAMAGED") faults.push(`repair ended as ${repaired}`)
  if (repaired === "ended" && (await findDamage(store, root))) faults.push("it is still damaged")
  if (repaired === "ended") faults.push(...(await openIn(store, root)))
  await runtime.close()
  for (const [agent, count] of Object.entries(again))
    if (count > mostSent[agent]!) faults.push(`${agent} sent ${count} times`)
  return faults
}

const attempt = (handle: { readonly done: Promise<{ readonly status: string }> }): Promise<string> =>
  handle.done.then(
    ({ status }) => status,
    (error) => (typeof error?.code === "string" ? error.code : String(error)),
  )

async function openIn(store: Store, root: string): Promise<readonly string[]> {
  const open: string[] = []
  for await (const { run, status, agent } of store.list({ root }))
    if (status === "open" && agent !== "") open.push(`${run} is open`)
  return open
}

/** `died`: a store that takes nothing more in the middle of an effect stands for a process that was killed. */
async function record(name: LogName, base: string) {
  const store = jsonlStore({ directory: base })
  const sent: Record<string, number> = {}
  let die = () => {}
  const dead = new Promise<never>((_, reject) => {
    die = () => reject(new Error("killed"))
  })
  const runtime = openTree(name, store, async (agent) => {
    sent[agent] = (sent[agent] ?? 0) + 1
    if (name === "died" && agent === "helper") {
      die()
      await new Promise(() => {})
    }
  })
  const handle = runtime.run("lead", "Go.")
  await Promise.race([handle.done, dead]).catch(() => {})
  const folder = path.join(base, handle.id)
  const log = newestLog(folder)
  const bytes = fs.readFileSync(log)
  const extent = fs.readFileSync(path.join(folder, "extent"))
  await runtime.close()
  // What closing has added a killed process would not have.
  if (name === "died") fs.writeFileSync(log, bytes)
  if (name === "died") fs.writeFileSync(path.join(folder, "extent"), extent)
  return { root: handle.id, folder, log, sent }
}

function newestLog(folder: string): string {
  const epochs = fs.readdirSync(folder).flatMap((file) => /^log\.(\d+)\.jsonl$/.exec(file)?.[1] ?? [])
  return path.join(folder, `log.${Math.max(...epochs.map(Number))}.jsonl`)
}
