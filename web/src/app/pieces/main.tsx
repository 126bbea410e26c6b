import { ChakraProvider } from '@chakra-ui/react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { system } from '../../theme/system.ts';
import { Pieces } from './pieces.tsx';

const router = createBrowserRouter([
  { path: '/_local/pieces', Component: Pieces },
  { path: '*', Component: Pieces },
]);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ChakraProvider value={system}>
      <RouterProvider router={router} />
    </ChakraProvider>,
  );
}
