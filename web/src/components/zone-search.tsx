import { readTimeZone, TIME_ZONES, UTC } from '#shared/time-zone.ts';
import { type Command, commandOf } from '../lib/commands.ts';
import { offsetOf, ownZone, zoneLabel } from '../lib/zones.ts';
import { CommandSearch } from './command-palette.tsx';

type Props = { none?: string | undefined; onChoose: (zone: string | null) => void; onClose: () => void };

export default function ZoneSearch({ none, onChoose, onClose }: Props) {
  const zone = (name: string, group: string): Command => {
    const offset = offsetOf(name);
    return commandOf(group, zoneLabel(name), `${offset} ${offset.slice(3)}`, () => onChoose(name), name);
  };
  const own = readTimeZone(ownZone());
  const commands = [
    ...(none === undefined ? [] : [commandOf('Suggested', none, 'none', () => onChoose(null))]),
    ...[...new Set([own ?? UTC, UTC])].map(name => zone(name, 'Suggested')),
    ...TIME_ZONES.filter(name => name !== UTC).map(name => zone(name, name.split('/')[0] ?? '')),
  ];
  return <CommandSearch title="Time zone" label="Search time zones" commands={commands} onClose={onClose} />;
}
