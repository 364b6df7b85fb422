/** Ask the user for points: the next clicks on the map or the surface are the answer. */

export interface Pixel {
  row: number;
  column: number;
}

interface Question {
  count: number;
  points: Pixel[];
  answer: (points: Pixel[] | null) => void;
}

export class Picking {
  private question: Question | null = null;
  /** A question begins, goes on or ends; the points so far are to be marked. */
  onChange: (points: Pixel[], left: number) => void = () => {};

  get active(): boolean {
    return this.question !== null;
  }

  /** So many points; null if the user gives up, or another question comes first. */
  ask(count: number): Promise<Pixel[] | null> {
    this.cancel();
    return new Promise((answer) => {
      this.question = { count, points: [], answer };
      this.onChange([], count);
    });
  }

  /** A click on a pixel; whether somebody had asked for it. */
  offer(pixel: Pixel): boolean {
    const { question } = this;
    if (!question) return false;
    question.points.push(pixel);
    const left = question.count - question.points.length;
    this.onChange(question.points, left);
    if (!left) this.end(question.points);
    return true;
  }

  cancel(): void {
    if (this.question) this.end(null);
  }

  private end(points: Pixel[] | null): void {
    const { question } = this;
    this.question = null;
    if (!points) this.onChange([], 0);
    question?.answer(points);
  }
}
