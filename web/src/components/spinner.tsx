import { chakra } from '@chakra-ui/react';

const Frame = chakra('div', {
  base: { display: 'grid', placeItems: 'center', minHeight: '40', color: 'fg.subtle', fontSize: 'sm' },
});

const Ring = chakra('span', {
  base: {
    width: '6',
    height: '6',
    borderWidth: '2px',
    borderColor: 'border',
    borderTopColor: 'fg.muted',
    borderRadius: 'full',
    // Declared in styles/app.css. Whoever is answered at once should not see it flash.
    animation: 'turn 800ms linear infinite, appear 1ms 200ms both',
  },
});

export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Frame role="status" aria-label={label}>
      <Ring />
    </Frame>
  );
}
