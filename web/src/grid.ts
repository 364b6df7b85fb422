/** Which pixels of a map a surface is drawn with. */

export interface Cell {
  row: number;
  column: number;
}

/** Every `step`-th pixel of a window, the middle one of each block. */
export class Grid {
  constructor(
    readonly top: number,
    readonly left: number,
    /** Cells. */
    readonly rows: number,
    readonly columns: number,
    readonly step: number,
    /** Pixels of the window. */
    private height: number,
    private width: number,
  ) {}

  static within(window: [number, number, number, number], step: number): Grid {
    const [top, left, height, width] = window;
    return new Grid(top, left, Math.ceil(height / step), Math.ceil(width / step), step, height, width);
  }

  /** The pixel of the whole map that a cell shows. */
  pixel(cell: Cell): Cell {
    const half = Math.floor(this.step / 2);
    return {
      row: this.top + Math.min(cell.row * this.step + half, this.height - 1),
      column: this.left + Math.min(cell.column * this.step + half, this.width - 1),
    };
  }

  /** The cell that shows a pixel of the whole map; null beyond the window. */
  cell(row: number, column: number): Cell | null {
    const cell = { row: Math.floor((row - this.top) / this.step), column: Math.floor((column - this.left) / this.step) };
    return cell.row >= 0 && cell.column >= 0 && cell.row < this.rows && cell.column < this.columns ? cell : null;
  }

  /** Number of a cell in the arrays of a surface. */
  at(cell: Cell): number {
    return cell.row * this.columns + cell.column;
  }
}
