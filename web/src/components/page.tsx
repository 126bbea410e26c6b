import { chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { pageTitle } from '../../../shared/brand.ts';

const Header = chakra('header', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    minHeight: '8',
    mb: '5',
  },
});

const Heading = chakra('h1', {
  base: {
    fontSize: 'xl',
    lineHeight: '28px',
    fontWeight: 'semibold',
    letterSpacing: '-0.015em',
    overflowWrap: 'anywhere',
    minWidth: 0,
  },
});

const Actions = chakra('div', { base: { display: 'flex', flexWrap: 'wrap', gap: '2' } });

type Props = {
  title: string;
  /** What the heading says where that is not the title of the page. */
  heading?: string;
  actions?: ReactNode;
  children: ReactNode;
};

/** A page: its title in the browser, its heading, its actions. */
export function Page({ title, heading = title, actions, children }: Props) {
  const top = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const arrivedByNavigation = useRef(key !== 'default');

  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);

  useEffect(() => {
    if (arrivedByNavigation.current && !focusIsTaken(top.current)) top.current?.focus();
  }, []);

  return (
    <>
      <Header>
        <Heading ref={top} tabIndex={-1}>
          {heading}
        </Heading>
        {actions && <Actions>{actions}</Actions>}
      </Header>
      {children}
    </>
  );
}

/** By something on the page that asked for the focus itself, as a dialog does. */
function focusIsTaken(heading: HTMLElement | null) {
  const taken = document.activeElement?.closest('main *');
  return taken !== null && taken !== heading;
}
