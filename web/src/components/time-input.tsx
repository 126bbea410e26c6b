import { Input } from '@chakra-ui/react';
import { type Ref, useState } from 'react';
import { readTime } from '../lib/time-of-day.ts';

type Props = {
  ref?: Ref<HTMLInputElement>;
  name: string;
  value: string;
  onChange: (time: string) => void;
  onBlur: () => void;
};

/** A time of day from 00:00 to 23:59, whatever clock the browser shows: all texts about it have this one. */
export function TimeInput({ value, onChange, onBlur, ...rest }: Props) {
  // What it is read as is the value at once: nothing may move when the field is left by pressing a button.
  const [typed, setTyped] = useState<string>();
  return (
    <Input
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      placeholder="HH:MM"
      maxLength={8}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readTime(target.value));
      }}
      onBlur={() => {
        setTyped(undefined);
        onBlur();
      }}
    />
  );
}
