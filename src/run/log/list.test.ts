import { expect, test } from "vitest"
import { SharedList } from "./list.ts"

test("every version stays what it was", () => {
  const one = SharedList.empty<number>().append(1, 2)
  const two = one.append(3)
  const other = one.append(4, 5)
  const more = two.append(6)
  expect([one, two, other, more].map((list) => [...list])).toEqual([
    [1, 2],
    [1, 2, 3],
    [1, 2, 4, 5],
    [1, 2, 3, 6],
  ])
  expect([one, two, other, more].map(({ length }) => length)).toEqual([2, 3, 4, 4])
  expect([one.at(1), one.at(2), two.at(2), two.at(3), other.at(2)]).toEqual([2, undefined, 3, undefined, 4])
  expect([one, two].map((list) => list.find((item) => item > 2))).toEqual([undefined, 3])
  expect(JSON.stringify(one)).toBe("[1,2]")
})

test("an empty one is shared by all, and grows for none of them", () => {
  const empty = SharedList.empty<number>()
  const [one, other] = [empty.append(1), empty.append(2)]
  expect([[...empty], [...one], [...other], empty.length]).toEqual([[], [1], [2], 0])
})

test("nothing added makes no new one", () => {
  const one = SharedList.of([1])
  expect(one.append()).toBe(one)
})

test("one continues another where it holds all of that, in the same storage", () => {
  const one = SharedList.of([1, 2])
  const later = one.append(3)
  const branch = one.append(4)
  expect([later.continues(one), one.continues(one), one.continues(later)]).toEqual([true, true, false])
  expect([branch.continues(one), SharedList.of([1, 2]).continues(one)]).toEqual([false, false])
})

test("what is gone through is not changed by what is added meanwhile", () => {
  const one = SharedList.of([1, 2])
  const seen: number[] = []
  for (const item of one) {
    seen.push(item)
    one.append(9)
  }
  expect(seen).toEqual([1, 2])
})
