/** A program that stands in for another agent program. Its first argument says what it does. */
import { spawn } from "node:child_process"
import fs from "node:fs"

const [what, ...words] = process.argv.slice(2)
const input = () => fs.readFileSync(0, "utf8")
const print = (text) => fs.writeSync(1, text)
const stay = () => setInterval(() => {}, 1_000)

const does = {
  /** Says what it was given on its input. */
  echo: () => print(`${input()}\n`),
  /** Says what it was given in a file, and who may read that. */
  file: () =>
    print(
      `${(fs.statSync(words[0]).mode & 0o777).toString(8)} ${words[0]}\n${fs.readFileSync(words[0], "utf8")}`,
    ),
  arguments: () => print(JSON.stringify(words)),
  /** How long its prompt is, and whether any of it stands in its command line. */
  measure() {
    const prompt = words[0] === undefined ? input() : fs.readFileSync(words[0], "utf8")
    const line = fs.readFileSync("/proc/self/cmdline", "utf8")
    print(`${prompt.length} characters, ${line.includes("xxxxxxxx") ? "some" : "none"} in its command line`)
  },
  json: () => print(words[0]),
  /** Leaves a mark for every time that it ran. */
  once() {
    fs.appendFileSync("ran.txt", "ran\n")
    print("ran")
  },
  fail() {
    fs.writeSync(1, "half an answer\n")
    fs.writeSync(2, `${"noise\n".repeat(1_000)}the disk is full\n`)
    process.exitCode = 3
  },
  /** As some do: what went wrong stands where the answer would. */
  complain() {
    print(JSON.stringify({ result: "no credit left" }))
    process.exitCode = 1
  },
  /** Its mark says that it has printed. */
  hang() {
    print("so far")
    fs.appendFileSync("ran.txt", "ran\n")
    stay()
  },
  stubborn() {
    process.on("SIGTERM", () => {})
    print("so far")
    stay()
  },
  /** A child that leaves its group, and outlives it if it can. */
  fork() {
    spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref()
    print("forked")
  },
  /** A child that holds on to its output. */
  hold() {
    spawn("sleep", ["300"], { detached: true, stdio: "inherit" }).unref()
    print("held")
  },
  flood() {
    const piece = "0123456789abcdef".repeat(4_096)
    print("begin ")
    for (let megabyte = 0; megabyte < Number(words[0]); megabyte++)
      for (let count = 0; count < 16; count++) print(piece)
    print(" end")
  },
  colours: () => print("\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b[2J done"),
  bytes: () => fs.writeSync(1, Buffer.from([0x66, 0xfc, 0x72, 0x20, 0xff, 0xfe, 0x00, 0x21])),
  environment: () => print(JSON.stringify(process.env)),
  write: () => {
    for (const file of words)
      try {
        fs.writeFileSync(file, "written")
        print(`${file} `)
      } catch (error) {
        print(`${error.code} `)
      }
  },
  nothing() {},
}

does[what]()
