const TYPED = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?$/i;

/**
 * Parses what people type as a time of day, such as 9, 930, 9.30 or 9:30 pm, to the stored format 09:00. Any other text stays
 * unchanged.
 */
export function readTime(typed: string): string {
  const [, hours, minutes = '00', half] = TYPED.exec(typed.trim()) ?? [];
  if (hours === undefined) return typed;
  const isPm = half?.toLowerCase().startsWith('p');
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isPm ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
