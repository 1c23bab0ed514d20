import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in place of what could not be rendered; `retry` renders it anew. */
  fallback: (retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Keeps an error of rendering from what is around it. React writes the error to the console. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  static getDerivedStateFromError = () => ({ failed: true });

  override state = { failed: false };

  retry = () => this.setState({ failed: false });

  override render() {
    return this.state.failed ? this.props.fallback(this.retry) : this.props.children;
  }
}
