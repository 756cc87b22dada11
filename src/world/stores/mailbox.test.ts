import { expect, test } from "vitest"
import type { Letter } from "../../run/log/store.ts"
import { identifyLetter, Mailbox } from "./mailbox.ts"

const letter = (key: string, at = 0, run = "r"): Letter => ({ run, key, at, body: {} as never })

function taken(mailbox: Mailbox): readonly string[] {
  const keys: string[] = []
  for (let next = mailbox.take(); next !== undefined; next = mailbox.take())
    keys.push(`${next.run} ${next.key}`)
  return keys
}

const filled = (...keys: readonly string[]) => {
  const mailbox = new Mailbox()
  for (const [index, key] of keys.entries()) mailbox.add(letter(key, index))
  return mailbox
}

test("letters are taken in the order they came, each key once per run", () => {
  const mailbox = new Mailbox()
  const added = [letter("b"), letter("a"), letter("b"), letter("b", 0, "s")].map((one) => mailbox.add(one))
  expect(added).toEqual([true, true, false, true])
  expect(mailbox.hasWaiting).toBe(true)
  expect(taken(mailbox)).toEqual(["r b", "r a", "s b"])
  expect(mailbox.hasWaiting).toBe(false)
  expect(taken(mailbox)).toEqual([])
})

test("what comes after all were taken is taken then", () => {
  const mailbox = filled("a", "b")
  expect(mailbox.take()?.key).toBe("a")
  mailbox.add(letter("c"))
  expect(taken(mailbox)).toEqual(["r b", "r c"])
  mailbox.add(letter("d"))
  expect([mailbox.hasWaiting, taken(mailbox)]).toEqual([true, ["r d"]])
})

test("what was not acknowledged waits again for the next owner", () => {
  const mailbox = filled("a", "b", "c")
  taken(mailbox)
  mailbox.acknowledge(identifyLetter(letter("b")))
  mailbox.reopen()
  expect(taken(mailbox)).toEqual(["r a", "r c"])
  mailbox.reopen()
  expect(taken(mailbox)).toEqual(["r a", "r c"])
})

test("what was acknowledged does not come again, also where that was heard before the letter", () => {
  const mailbox = filled("a")
  mailbox.acknowledge(identifyLetter(letter("a")))
  mailbox.acknowledge(identifyLetter(letter("b")))
  expect([mailbox.add(letter("a")), mailbox.add(letter("b"))]).toEqual([false, false])
  mailbox.reopen()
  expect(taken(mailbox)).toEqual([])
})

test("what earlier owners acknowledged comes again where it is wanted, in the order it was written", () => {
  const mailbox = filled("a", "b", "c", "d")
  for (const key of ["d", "a", "b", "unknown"]) mailbox.acknowledgeEarlier(identifyLetter(letter(key)))
  mailbox.resend(({ key }) => key !== "b")
  mailbox.reopen()
  expect(taken(mailbox)).toEqual(["r a", "r c", "r d"])
  // A letter is resent only once.
  mailbox.resend(() => true)
  mailbox.reopen()
  expect(taken(mailbox)).toEqual(["r a", "r c", "r d"])
})

test("what is settled is not open, and is forgotten once another owner begins", () => {
  const mailbox = filled("a", "b")
  mailbox.acknowledgeEarlier(identifyLetter(letter("a")))
  mailbox.reopen()
  expect(taken(mailbox)).toEqual(["r b"])
  mailbox.resend(() => true)
  mailbox.reopen()
  expect([taken(mailbox), mailbox.add(letter("a"))]).toEqual([["r b"], false])
})

test("a resent letter that is acknowledged then does not come a third time", () => {
  const mailbox = filled("a", "b")
  mailbox.acknowledgeEarlier(identifyLetter(letter("a")))
  mailbox.resend(() => true)
  mailbox.acknowledge(identifyLetter(letter("a")))
  mailbox.resend(() => true)
  mailbox.reopen()
  expect(taken(mailbox)).toEqual(["r b"])
})
