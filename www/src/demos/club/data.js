/**
 * Zachary's karate club: 34 members, and who met whom outside of it. It split when the instructor (member 1) and the president (member 34)
 * fell out. W. W. Zachary, An information flow model for conflict and fission in small groups, Journal of Anthropological Research 33
 * (1977). Members are numbered from 0 here.
 * An entry is a member and those of higher number that it met.
 */
const MEETINGS = [
  [0, [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31]],
  [1, [2, 3, 7, 13, 17, 19, 21, 30]],
  [2, [3, 7, 8, 9, 13, 27, 28, 32]],
  [3, [7, 12, 13]],
  [4, [6, 10]],
  [5, [6, 10, 16]],
  [6, [16]],
  [8, [30, 32, 33]],
  [9, [33]],
  [13, [33]],
  [14, [32, 33]],
  [15, [32, 33]],
  [18, [32, 33]],
  [19, [33]],
  [20, [32, 33]],
  [22, [32, 33]],
  [23, [25, 27, 29, 32, 33]],
  [24, [25, 27, 31]],
  [25, [31]],
  [26, [29, 33]],
  [27, [33]],
  [28, [31, 33]],
  [29, [32, 33]],
  [30, [32, 33]],
  [31, [32, 33]],
  [32, [33]],
];

export const INSTRUCTOR = 0;
export const PRESIDENT = 33;

/** The 78 edges, each once. */
export const EDGES = MEETINGS.flatMap(([one, others]) => others.map((other) => [one, other]));

/** Who stayed with the instructor after the split. */
export const STAYED = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21]);

/** Where each member is drawn, on a sheet of 640 by 460. */
export const PLACES = [
  [244, 260], [295, 271], [361, 297], [269, 332], [144, 241], [104, 198], [102, 279], [284, 398], [386, 272],
  [432, 436], [149, 147], [141, 373], [200, 404], [334, 240], [581, 371], [517, 435], [24, 242], [204, 277],
  [563, 161], [343, 359], [549, 401], [233, 138], [570, 303], [519, 153], [431, 24], [479, 43], [616, 251],
  [451, 155], [428, 240], [566, 229], [409, 345], [398, 162], [494, 256], [482, 326],
];

export const MEMBERS = PLACES.length;
