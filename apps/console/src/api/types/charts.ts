export interface ChartData {
  /** The first column has epoch seconds, the others a series each. */
  columns: (number | null)[][];
  series: { key: string; label: string; unit: string }[];
  /** What a point stands for: `5m`. */
  step: string;
  step_seconds: number;
}
