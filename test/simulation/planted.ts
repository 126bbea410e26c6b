import { OF_BROADCASTS_AND_SEQUENCES } from './planted/broadcasts-and-sequences.ts';
import { OF_SENDING } from './planted/sending.ts';
import { OF_WARM_UPS } from './planted/warm-ups.ts';

/** A fault in the product, planted when its module is loaded; the file does not change. */
export type Planted = {
  name: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  /** The invariant that must find the fault. */
  caughtBy: string;
};

/** Reads such a text. */
export const plantedIn = (faults: string): Planted[] =>
  faults
    .trim()
    .split('\n\n')
    .flatMap(group => {
      const [caughtBy = '', ...faults] = group.split(/\n(?=\S+\.ts: )/);
      return faults.map((fault): Planted => {
        const [title = '', ...lines] = fault.split('\n');
        const [file = '', name = ''] = title.split(': ');
        const marked = (mark: string) =>
          lines.flatMap(line => (line.startsWith(mark) ? [line.slice(2)] : []));
        const [find, replace] = ['-', '+'].map(mark => marked(mark).join('\n'));
        return {
          name,
          file: file.startsWith('shared/') ? file : `functions/${file}`,
          find: find ?? '',
          replace: replace ?? '',
          caughtBy,
        };
      });
    });

export const PLANTED = [OF_SENDING, OF_BROADCASTS_AND_SEQUENCES, OF_WARM_UPS].flatMap(plantedIn);
