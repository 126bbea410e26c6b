const TYPED = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?$/i;

/** A time of day as it is stored, 09:00, of what people type: 9, 930, 9.30, 9:30 pm. Anything else stays as it is. */
export function readTime(typed: string): string {
  const [, hours, minutes = '00', half] = TYPED.exec(typed.trim()) ?? [];
  if (hours === undefined) return typed;
  const isPm = half?.toLowerCase().startsWith('p');
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isPm ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
