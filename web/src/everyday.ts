/** What most people would want to choose of a method, in a few words, and the settings that it stands for. */

export interface Choice {
  name: string;
  about: string;
  values: Record<string, number | boolean>;
}

export interface Offer {
  title: string;
  choices: Choice[];
}

/** By method. The default has no dial between detail and noise: it measures how the normals err. */
export const offers: Record<string, Offer> = {
  graduated: {
    title: "Care",
    choices: [
      { name: "usual", about: "It measures how the normals err and trusts each accordingly: there is no dial between detail and noise.", values: {} },
      { name: "quick", about: "One start, and parts stay where they are found: a first look.", values: { starts: 1, parts: 0 } },
    ],
  },
  bilateral: {
    title: "Detail",
    choices: [
      { name: "as published", about: "k = 2: how readily one side of a pixel is trusted over the other.", values: {} },
      { name: "smoother", about: "k = 1: fewer jumps, and less noise taken for them.", values: { k: 1 } },
      { name: "sharper", about: "k = 4: more jumps, and more noise taken for them.", values: { k: 4 } },
    ],
  },
};

/** The choice that settings amount to; null where they are something else. */
export function choiceOf(offer: Offer, values: Record<string, number | boolean>): Choice | null {
  const own = new Set(offer.choices.flatMap((choice) => Object.keys(choice.values)));
  const same = (choice: Choice) => [...own].every((key) => values[key] === choice.values[key]);
  return offer.choices.find(same) ?? null;
}
