import { chakra } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  success: { icon: CircleCheck, role: 'status' },
  error: { icon: CircleAlert, role: 'alert' },
  warning: { icon: TriangleAlert, role: 'status' },
  info: { icon: Info, role: 'status' },
} as const;

export type Tone = keyof typeof TONES;

const Bar = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '2.5',
    px: '3',
    py: '2',
    borderWidth: '1px',
    borderRadius: 'md',
    fontSize: 'sm',
    lineHeight: '20px',
    bg: 'bg.subtle',
  },
  variants: {
    tone: {
      success: {},
      error: { bg: 'danger.wash', borderColor: 'danger' },
      warning: { bg: 'brand.wash', borderColor: 'brand.line' },
      info: {},
    },
  },
});

const Text = chakra('div', { base: { flex: 1 } });

const IconFrame = chakra('span', {
  base: { display: 'flex', py: '0.5', _icon: { width: '4', height: '4' } },
  variants: {
    tone: {
      success: { color: 'fg.success' },
      error: { color: 'fg.error' },
      warning: { color: 'fg.warning' },
      info: { color: 'fg.info' },
    },
  },
});

export function ToneIcon({ tone }: { tone: Tone }) {
  const { icon: Icon } = TONES[tone];
  return (
    <IconFrame tone={tone}>
      <Icon aria-hidden />
    </IconFrame>
  );
}

const ErrorFrame = chakra('div', {
  base: {
    display: 'flex',
    gap: '2',
    mt: '2',
    minHeight: '20px',
    fontSize: 'sm',
    lineHeight: '20px',
    color: 'fg.error',
    'dialog &': { mb: '-3' },
  },
});

/** Why an action failed. It goes below the buttons and keeps its room, so that nothing moves when it appears. */
export const ActionError = ({ children }: { children: ReactNode }) => (
  <ErrorFrame role="alert">
    {children && <ToneIcon tone="error" />}
    <Text>{children}</Text>
  </ErrorFrame>
);

type Props = { tone: Tone; children: ReactNode; action?: ReactNode };

/** A message within the page; for one that disappears, see `toast`. */
export function Notice({ tone, children, action }: Props) {
  return (
    <Bar tone={tone} role={TONES[tone].role}>
      <ToneIcon tone={tone} />
      <Text>{children}</Text>
      {action}
    </Bar>
  );
}
