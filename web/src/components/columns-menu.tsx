import { MultiSelect } from './multi-select.tsx';

/** In the order in which they get room, with their headers and least widths. */
export type NamedColumns<Name extends string> = Record<Name, readonly [header: string, width: number]>;

/** The first columns that fit beside `used` pixels; `more` is what else one and those after it need. */
export function fitting<Name extends string>(
  columns: NamedColumns<Name>,
  room: number,
  used: number,
  more: Partial<Record<Name, number>> = {},
): Name[] {
  let taken = used;
  return (Object.keys(columns) as Name[]).filter(name => {
    taken += columns[name][1] + (more[name] ?? 0);
    return taken <= room;
  });
}

type Props<Name extends string> = {
  columns: NamedColumns<Name>;
  offered: readonly Name[];
  chosen: readonly Name[];
  /** What is shown without any of them. */
  none: string;
  onChoose: (columns: Name[]) => void;
};

/** Chooses the columns beside the first one. None chosen means as few as all that fit. */
export const ColumnsMenu = <Name extends string>({
  columns,
  offered,
  chosen,
  none,
  onChoose,
}: Props<Name>) => (
  <MultiSelect
    label="Columns"
    options={offered.map(value => ({ value, label: columns[value][0] }))}
    chosen={[...chosen]}
    none={none}
    summary={`${chosen.length + 1} of ${offered.length + 1}`}
    width="auto"
    onChoose={names => onChoose(names as Name[])}
  />
);
