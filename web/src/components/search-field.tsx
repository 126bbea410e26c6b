import { Input } from '@chakra-ui/react';
import { type Ref, useEffect, useState } from 'react';

const DEBOUNCE = 200;
/** The maximum length of an email address. */
const MAX_LENGTH = 254;

type Props = { label: string; value: string; onSearch: (text: string) => void; ref?: Ref<HTMLInputElement> };

/** A debounced search input. */
export function SearchField({ label, value, onSearch, ref }: Props) {
  const [typed, setTyped] = useState(value);
  const [searched, setSearched] = useState(value);

  // By the history, or because the filters were cleared.
  if (value !== searched) {
    setSearched(value);
    setTyped(value);
  }

  useEffect(() => {
    if (typed === searched) return;
    const timer = setTimeout(() => {
      setSearched(typed);
      onSearch(typed);
    }, DEBOUNCE);
    return () => clearTimeout(timer);
  });

  return (
    <Input
      ref={ref}
      type="search"
      aria-label={label}
      placeholder={label}
      width={{ base: 'full', sm: `max(240px, ${label.length}ch)` }}
      maxLength={MAX_LENGTH}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  );
}
