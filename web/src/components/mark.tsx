import { chakra } from '@chakra-ui/react';
import { useState } from 'react';

const Square = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    overflow: 'hidden',
    fontWeight: 'semibold',
    borderWidth: '1px',
    borderColor: 'border',
    bg: 'bg.subtle',
    color: 'fg',
  },
  variants: {
    size: {
      small: { width: '6', height: '6', borderRadius: 'md', fontSize: 'xs' },
      medium: { width: '8', height: '8', borderRadius: 'md', fontSize: 'sm' },
      large: { width: '16', height: '16', borderRadius: 'lg', fontSize: 'xl' },
    },
    onYellow: { true: { bg: 'yellow.current', color: 'yellow.currentInk', borderWidth: 0 } },
  },
});

type Props = {
  of: { name: string; logo: string | null };
  size?: 'small' | 'medium' | 'large';
  onYellow?: boolean;
};

/** A logo, or the first letter of the name. Hidden from screen readers: the name is shown beside it. */
export function Mark({ of: { name, logo }, size = 'medium', onYellow = false }: Props) {
  const [broken, setBroken] = useState<string>();
  return (
    <Square size={size} onYellow={onYellow} aria-hidden>
      {logo && logo !== broken ? (
        // White in both themes: most logos are made for a white background.
        <chakra.img
          src={logo}
          alt=""
          onError={() => setBroken(logo)}
          width="full"
          height="full"
          objectFit="contain"
          bg="white"
        />
      ) : (
        [...name][0]?.toUpperCase()
      )}
    </Square>
  );
}
