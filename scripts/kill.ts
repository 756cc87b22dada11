/**
 * Kills a running tree at random moments, resumes it until it ends, and counts what was lost or done twice.
 * A seed fixes when kills and letters are due; what the processes have got to by then is up to the machine.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { bundleWorker } from "./bundle-worker.ts"
import { playRound, playUndisturbed, type Round } from "./kill/round.ts"
import { type TreeName, trees } from "./kill/trees.ts"

const lanes = 2

process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143))
const { tree, rounds, seed } = readOptions()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-kill-"))
const worker = await bundleWorker("kill-worker.ts", folder)
const begun = performance.now()
const undisturbed = await playUndisturbed(worker, tree, fs.mkdtempSync(path.join(folder, "undisturbed-")))
const played: Round[] = []
const numbers = Array.from({ length: rounds }, (_, index) => index).values()
await Promise.all(Array.from({ length: lanes }, playAll))

const sum = (count: (round: Round) => number) => played.reduce((total, round) => total + count(round), 0)
const completed = played.filter(isRight).length
const seconds = (performance.now() - begun) / 1000
console.log(
  `${rounds} rounds in ${seconds.toFixed(1)} s: ${sum(({ kills }) => kills)} kills, ${sum(({ torn }) => torn)} of them ` +
    `in a write; ${sum(({ letters }) => letters)} letters accepted`,
)
const report = {
  tree,
  rounds,
  seed,
  completed,
  lost: sum(({ faults }) => faults.lost.length),
  repeatedOpaque: sum(({ faults }) => faults.repeatedOpaque.length),
  unknown: sum(({ unknown }) => unknown),
  badHistory: sum(({ faults }) => faults.badHistory.length),
}
fs.rmSync(path.dirname(worker), { recursive: true })
if (completed === rounds) fs.rmSync(folder, { recursive: true })
console.log(JSON.stringify(report))
process.exitCode = completed === rounds ? 0 : 1

async function playAll(): Promise<void> {
  for (const number of numbers) played.push(await play((seed + number) % 2 ** 32))
}

/** A round that goes wrong keeps its folder. */
async function play(roundSeed: number): Promise<Round> {
  const place = path.join(folder, `seed-${roundSeed}`)
  fs.mkdirSync(place)
  const round = await playRound({ worker, tree, undisturbed }, place, roundSeed).catch(
    (error): Round => ({
      faults: { lost: [`the round broke off: ${error?.stack ?? error}`], repeatedOpaque: [], badHistory: [] },
      unknown: 0,
      kills: 0,
      torn: 0,
      letters: 0,
    }),
  )
  if (isRight(round)) fs.rmSync(place, { recursive: true })
  else {
    console.log(
      `A round failed. Again: npm run kill -- --tree ${tree} --rounds 1 --seed ${roundSeed}\n  folder: ${place}`,
    )
    for (const [kind, faults] of Object.entries(round.faults))
      for (const fault of faults) console.log(`  ${kind}: ${fault}`)
  }
  return round
}

function isRight({ faults }: Round): boolean {
  return faults.lost.length + faults.repeatedOpaque.length + faults.badHistory.length === 0
}

function readOptions(): { readonly tree: TreeName; readonly rounds: number; readonly seed: number } {
  try {
    const { values } = parseArgs({
      options: {
        tree: { type: "string", default: "mixed" },
        rounds: { type: "string", default: "200" },
        seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      },
    })
    return {
      tree: treeNamed(values.tree),
      rounds: wholeNumber("rounds", values.rounds, 1),
      seed: wholeNumber("seed", values.seed, 0),
    }
  } catch (error) {
    console.error(
      `${(error as Error).message}\nUsage: npm run kill -- [--tree mixed|wide|mcp|moments] [--rounds N] [--seed S]`,
    )
    process.exit(2)
  }
}

function treeNamed(text: string): TreeName {
  if (Object.hasOwn(trees, text)) return text as TreeName
  throw new Error(`--tree must be ${Object.keys(trees).join(" or ")}, not ${JSON.stringify(text)}.`)
}

function wholeNumber(name: string, text: string, least: number): number {
  const most = 2 ** 32 - 1
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`)
}
