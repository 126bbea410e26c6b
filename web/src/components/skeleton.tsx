import { defineRecipe, type SkeletonProps, Skeleton as ThemedSkeleton } from '@chakra-ui/react';

const recipe = defineRecipe({
  base: {
    display: 'inline-block',
    verticalAlign: 'middle',
    height: '10px',
    width: '96px',
    maxWidth: 'full',
    borderRadius: 'full',
    bg: 'border',
    animation: 'pulse 1.6s infinite',
  },
});

/** The placeholder of a text or a number that is loading. */
export const Skeleton = (props: SkeletonProps) => <ThemedSkeleton as="span" recipe={recipe} {...props} />;
