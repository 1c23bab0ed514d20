import { t } from '@lingui/core/macro';
import { Component, type ReactNode } from 'react';
import { UnloadedPage } from '../../ui/UnloadedPage';

/** Leaves the bar where the page breaks, with a way back: results are restored when it is loaded again. */
export class PageBoundary extends Component<{ children: ReactNode }> {
  static getDerivedStateFromError = () => ({ failed: true });

  override state = { failed: false };

  override render() {
    if (!this.state.failed) return this.props.children;
    return <UnloadedPage text={t`The event could not be loaded`} again={t`Try again`} />;
  }
}
