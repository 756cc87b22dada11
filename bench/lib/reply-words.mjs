/** The last text of every run. The bench looks for its end in what a library returns. */
export const FINAL = "All work is complete. The answer is 42."

let last = 0

export const newId = () => ++last
