import { useEffect, useState } from 'react';
import { Input } from './field.tsx';

const PAUSE = 200;
/** No name or address is longer. */
const LONGEST = 254;

type Props = { label: string; value: string; onSearch: (wanted: string) => void };

/** A search that waits for a pause in the typing. */
export function SearchField({ label, value, onSearch }: Props) {
  const [typed, setTyped] = useState(value);
  const [searched, setSearched] = useState(value);

  // The address may change under the field: by going back, or by clearing all filters.
  if (value !== searched) {
    setSearched(value);
    setTyped(value);
  }

  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      setSearched(typed);
      onSearch(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  });

  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      width="240px"
      maxLength={LONGEST}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  );
}
