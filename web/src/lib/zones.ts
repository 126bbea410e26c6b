export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Such as "Europe/Berlin (UTC+1)". */
export const zoneLabel = (zone: string) => (zone === 'UTC' ? zone : `${zone} (${offsetOf(zone)})`);

export function offsetOf(zone: string, now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(
    now,
  );
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC');
}
