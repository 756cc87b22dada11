export function median(values) {
  const sorted = values.toSorted((left, right) => left - right)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** The median and the range of all rounds. A round that failed makes the whole fail. */
export function summary(values) {
  if (values.length === 0 || !values.every(Number.isFinite)) return { value: Number.NaN, range: "" }
  return {
    value: median(values),
    range: `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`,
  }
}
