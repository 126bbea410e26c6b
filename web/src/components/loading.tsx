import { Flex, Grid, type GridProps, Skeleton, type SkeletonProps, VisuallyHidden } from '@chakra-ui/react';

const BLOCK = { width: 'full', borderWidth: '1px', borderRadius: 'md', bg: 'bg.subtle' } as const;
const PARTS: Record<'title' | 'line' | 'field' | 'button', SkeletonProps[]> = {
  title: [{ width: '240px', height: '5', mt: '1.5', mb: '7' }],
  line: [{ width: '60%', my: '5px' }],
  field: [{ my: '5px' }, { ...BLOCK, height: 'control', mt: '1', mb: '9' }],
  button: [{ ...BLOCK, width: '24', height: 'control', ms: 'auto' }],
};

/** The parts of the content from top to bottom. A number is the height of another part, in pixels. */
type Shape = (keyof typeof PARTS | number)[];

type Props = Pick<GridProps, 'templateColumns' | 'maxWidth' | 'minHeight' | 'p'> & {
  shape: Shape;
  beside?: Shape;
};

export const Loading = ({ shape, beside, ...place }: Props) => (
  <>
    {/* Outside of the busy element, which is not read out. */}
    <VisuallyHidden role="status" aria-label="Loading">
      Loading
    </VisuallyHidden>
    <Grid gap="8" alignItems="start" aria-busy {...place}>
      <Parts of={shape} />
      {beside && <Parts of={beside} />}
    </Grid>
  </>
);

const Parts = ({ of }: { of: Shape }) => (
  <Flex direction="column">
    {of
      .flatMap(part => (typeof part === 'number' ? { ...BLOCK, height: `${part}px`, mb: '4' } : PARTS[part]))
      .map((style, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a shape does not change
        <Skeleton key={index} display="block" {...style} />
      ))}
  </Flex>
);

/** Before the code of a page is there, its path tells a form, a table and a page about one thing apart. */
export const PageShape = () => <Loading shape={shapeOf(location.pathname)} maxWidth="1280px" />;

function shapeOf(path: string): Shape {
  if (/\/(new|new-set|edit|wording)$/.test(path))
    return ['title', 'field', 'field', 'field', 'field', 'button'];
  return path.lastIndexOf('/') === 0 ? ['title', 32, 400] : ['title', 'line', 'line', 106, 'title', 240];
}
