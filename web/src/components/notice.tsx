import { Alert } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  success: { icon: CircleCheck, role: 'status' },
  error: { icon: CircleAlert, role: 'alert' },
  warning: { icon: TriangleAlert, role: 'status' },
  info: { icon: Info, role: 'status' },
} as const;

export type Tone = keyof typeof TONES;

export function ToneIcon({ tone }: { tone: Tone }) {
  const { icon: Icon } = TONES[tone];
  return <Icon aria-hidden color={`var(--${tone === 'error' ? 'danger' : tone})`} />;
}

type Props = Pick<Alert.RootProps, 'flexBasis' | 'maxWidth' | 'mb' | 'mt' | 'order'> & {
  tone: Tone;
  children: ReactNode;
  action?: ReactNode;
};

/** A message within the page. For a message that disappears, see `toast`. */
export const Notice = ({ tone, children, action, ...place }: Props) => (
  <Alert.Root status={tone} role={TONES[tone].role} {...place}>
    <Alert.Indicator>
      <ToneIcon tone={tone} />
    </Alert.Indicator>
    <Alert.Content>{children}</Alert.Content>
    {action}
  </Alert.Root>
);
